"""Games by mail: nobody can foresee a roll or see another hand, and what was changed in a file is told."""

import json
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate

import numpy as np
import pytest

from brickphys.battles import mail_deck
from brickphys.battles.mail import Mail, chain, read_mail, root_of
from brickphys.battles.start import law_rolls
from brickphys.blade_and_bow.deck import deck as card_deck
from brickphys.errors import ReplayFileError
from brickphys.odds.law_file import DEFAULT, find_law
from brickphys.rules.players.bots import RandomBot
from brickphys.rules.record import OVER, with_options
from brickphys.rules.registry import game as registered
from brickphys.rules.replay import format_replay, parse_replay, play_back
from brickphys.rules.rolls import DiceRoll
from brickphys.seeds import generator
from tests.command_line import assert_refused, brickphys
from tests.reliability.examples import resealed

LAW = find_law(DEFAULT)


def sha(text):
    return sha256(text.encode()).hexdigest()


class Cheat(Mail):
    """Locks and shuffles cards by another secret than that to which it is bound."""

    def __init__(self, game, setup, before, known):
        super().__init__(game, setup, before, dict.fromkeys(known, sha("another")))

    def _write(self, seat, kind, card):
        if kind in ("anchor", "link", "secret"):
            self.known[seat] = secret(seat)
        super()._write(seat, kind, card)
        self.known[seat] = sha("another")


def forged(contents):
    """Return lines with new checks, as a forger would write them."""
    return resealed("\n".join(map(json.dumps, contents)).encode()).decode()


def secret(seat):
    return sha(f"the secret of {seat}")


class Post:
    """A game by mail between bots, each of whom reads only new lines of the file, as it is written in JSON."""

    def __init__(self, name, setup, options=(), most=10**6, kinds=(Mail,) * 4):
        self.game = registered(name)
        start = with_options(self.game.setups[setup], dict(options))
        count = self.game.players(self.game.initial(start))
        self.seats = [kinds[n](self.game, start, [], {n: secret(n)}) for n in range(count)]
        self.mails, self.worlds = [], [[] for _ in self.seats]
        seat = 0
        while seat >= 0 and len(self.seats[0].lines) < most:
            self.turn(seat)
            seat = self.mail.waits_for

    def turn(self, seat):
        own = self.mail = self.seats[seat]
        while own.go_on(seat):
            number = len(own.session.steps)
            view, rng = self.game.observe(own.state, seat), generator(seat, number)
            action = RandomBot().choose(view, self.game.actions(own.state), rng)
            own.choose(seat, self.game.format_action(action))
        self.mails.append((seat, own.lines[:]))
        for other, reader in enumerate(self.seats):
            if self.game.actor(own.state) != OVER:
                self.worlds[other] = list(reader.session.steps)
            for line in own.lines[len(reader.lines) :]:
                reader.take(json.loads(line))

    def lines(self):
        return [json.loads(line) for line in self.mail.lines]


GAMES = [
    ("bow", "duel", ()),
    ("minifig", "duel", ()),
    ("pirate_wars", "chase", ()),
    ("pirate_wars", "two_against_two", ()),
    pytest.param("blade_and_bow", "marathon", (("free_setup", False),), marks=pytest.mark.slow),
    pytest.param("blade_and_bow", "mycale", (("free_setup", False),), marks=pytest.mark.slow),
]


@pytest.fixture(scope="module")
def duel():
    return Post("minifig", "duel")


@pytest.fixture(scope="module")
def cards():
    return Post("blade_and_bow", "thermopylae", [("free_setup", False)], 70)


@pytest.mark.parametrize(("name", "setup", "options"), GAMES)
def test_a_game_comes_to_its_end_by_files_alone_and_equals_its_replay(name, setup, options):
    """All seats know the same game in the end; until then each has seen what it may see of it, and nothing else."""
    post = Post(name, setup, options)
    record = post.mail.record
    assert all(one.waits_for == -1 and one.record == record for one in post.seats)
    assert post.mail.secrets == [secret(n) for n in range(len(post.seats))]
    assert play_back(post.game, parse_replay(format_replay(post.game, record, "mail"))) == record
    for seat, steps in enumerate(post.worlds):
        for made_up, true in zip(steps, record.steps, strict=False):
            assert post.game.observe(made_up.after, seat) == post.game.observe(true.after, seat)
    again = read_mail(post.mail.text, "mail", lambda *_: {0: secret(0)})
    assert again.record == record


def test_each_roll_is_that_of_the_links_computed_by_other_means(duel):
    """Links are hashed up to the anchors; NumPy draws from the root; the outcome is found in the exact law."""
    shown, rolls, used = [[], []], 0, 0
    states, step = duel.mail.record.states, 0
    for line in duel.lines()[1:]:
        if "anchor" in line:
            shown[line["seat"]].append(line["anchor"])
        elif "link" in line:
            assert sha(line["link"]) == shown[line["seat"]][-1]
            shown[line["seat"]].append(line["link"])
        elif "move" in line:
            step += 1
        elif "roll" in line:
            used = len(shown[0]) - 1
            root = int(sha(shown[0][used] + shown[1][used]), 16) % 2**53
            words = np.random.SeedSequence(root, spawn_key=(0, step)).generate_state(2, np.uint64)
            raw = int(np.random.Philox(key=words.astype(np.uint64)).random_raw(1)[0])
            uniform = Fraction(2 * (raw >> 12) + 1, 2**53)
            event = duel.game.chance(states[step])
            law = event.law(LAW)
            ends = zip(law, accumulate(law.values()), strict=True)
            assert line["roll"] == event.format(next(one for one, end in ends if uniform < end))
            rolls, step = rolls + 1, step + 1
    assert rolls > 15
    assert used > 5
    for seat in (0, 1):
        end = secret(seat)
        for _ in range(50_000):
            end = sha(end)
        assert shown[seat][0] == end
    assert chain(secret(0))[: used + 1] == tuple(shown[0])


@pytest.mark.parametrize("varied", [0, 1])
def test_rolls_are_uniform_whatever_the_other_seat_has_chosen(varied):
    """A die of links of which one is fixed: chi-square of 3000 rolls, 5 degrees of freedom; false alarm 1 in 1000."""
    faces, die = Counter(), DiceRoll(1, 6)
    for number in range(3000):
        links = [sha("fixed"), sha("fixed, too")]
        links[varied] = sha(f"{varied} {number}")
        faces[law_rolls(LAW, root_of(links)).answer(die, (0, 7))] += 1
    assert sum((count - 500) ** 2 / 500 for count in faces.values()) < 20.5


@pytest.mark.parametrize("which", ["duel", "cards"])
def test_no_seat_chooses_when_it_could_know_what_will_be_rolled(which, request):
    """Before each choice all seats have shown equally many links: no link of the next roll is in the file."""
    links, choices = Counter(), 0
    for line in request.getfixturevalue(which).lines():
        links[line.get("seat")] += "link" in line
        if "move" in line:
            choices += 1
            assert links[0] == links[1]
    assert choices > 5


def test_no_mail_has_a_secret_or_the_name_of_a_card_in_a_hand(cards):
    """Nor can the other seat, with its own secret and all keys that were shown, find out a card of a hand."""
    held = 0
    for _, lines in cards.mails:
        assert not any(secret(n) in line for n in (0, 1) for line in lines)
        reader = read_mail("\n".join([*lines, ""]), "mail", lambda *_: {1: secret(1)})
        own = read_mail("\n".join([*lines, ""]), "mail", lambda *_: {0: secret(0)})
        hand = {card_deck()[card].name for card in own.state.hands[0]}
        deck = reader.deck
        hidden = {n for n, seat in deck.held.items() if seat == 0 and (0, n) not in deck.keys}
        assert all(deck.name(n, {1: secret(1)}) is None for n in hidden)
        assert {deck.name(n, {0: secret(0), 1: secret(1)}) for n in hidden} == hand
        assert not any(name in line for name in hand for line in lines)
        held = max(held, len(hand))
        if len(lines) > 40:
            break
    assert held == 4


def test_the_prime_is_that_of_the_standard():
    """A safe prime (Fermat, bases 2 and 3): 2^1536 - 2^1472 - 1 + 2^64 k; all cards are squares."""
    prime = mail_deck._PRIME
    assert prime.bit_length() == 1536
    assert (prime + 1) % 2**64 == 0
    assert prime >> 1472 == 2**64 - 1
    for number in (prime, prime // 2):
        assert pow(2, number - 1, number) == pow(3, number - 1, number) == 1


def test_cards_are_dealt_uniformly_and_differ(monkeypatch):
    """The first card of 1500 decks of six: chi-square, 5 degrees of freedom; false alarm 1 in 1000."""
    monkeypatch.setattr(mail_deck, "_PRIME", 1000667)  # a small safe prime: 2 * 500333 + 1
    monkeypatch.setattr(mail_deck, "_ORDER", 500333)
    monkeypatch.setattr(mail_deck, "_power", lambda card, exponent: pow(card, exponent, 1000667))
    monkeypatch.setattr(
        mail_deck, "key", lambda one, what: int(sha(f"{one} {what}"), 16) % 500332 + 1
    )
    names, first = [f"card {n}" for n in range(6)], Counter()
    for number in range(1500):
        secrets, deck = {0: sha(f"a{number}"), 1: sha(f"b{number}")}, mail_deck.Deck()
        for turn in range(4):
            deck.take_pass(turn % 2, deck.passed(secrets[turn % 2], names), names)
        assert {deck.name(card, secrets) for card in range(6)} == {*names}
        first[deck.name(0, secrets)] += 1
    assert sum((count - 250) ** 2 / 250 for count in first.values()) < 20.5


@pytest.mark.slow
def test_who_shuffles_by_another_secret_is_found_out_when_the_game_is_over():
    with pytest.raises(ReplayFileError, match=r"by the secrets: line \d+: this is not the deck to"):
        Post("blade_and_bow", "marathon", [("free_setup", False)], kinds=(Mail, Cheat))


def test_who_shuffles_otherwise_than_by_the_secret_is_told_in_the_end(cards):
    """Nobody can see it before."""
    contents = cards.lines()
    number = next(n for n, line in enumerate(contents) if "deck" in line)
    contents[number]["deck"].reverse()
    text = forged(contents[: number + 1])
    cheat, known = contents[number]["seat"], {n: secret(n) for n in (0, 1)}
    read_mail(text, "mail", lambda *_: {1 - cheat: known[1 - cheat]})
    with pytest.raises(ReplayFileError, match=f"line {number + 1}: this is not the deck to which"):
        read_mail(text, "mail", lambda *_: known)


def changed(kind, who, /, **values):
    """Return what changes the first line of a seat of a kind after the tenth."""

    def tamper(contents):
        number = next(
            n for n, one in enumerate(contents) if n > 9 and kind in one and one["seat"] == who
        )
        contents[number].update(values)

    return tamper


def head(**values):
    return lambda contents: contents[0].update(values)


def swapped(contents):
    contents[9], contents[10] = contents[10], contents[9]


TAMPERINGS = {
    "an unknown action": (changed("move", 0, move="fly 3,4"), "'fly 3,4' cannot come here"),
    "another action": (changed("move", 0, move="end"), "'end' leads to another state"),
    "an action of the other": (changed("move", 0, seat=1), "here comes a move of york"),
    "a roll": (changed("roll", 0, roll="9 9"), "the roll is"),
    "the state after a roll": (changed("roll", 0, state=""), "leads to another state"),
    "a link": (changed("link", 0, link="0" * 64), "not the link to which york is bound"),
    "the link of the other": (changed("link", 0, seat=1), "not the link to which lancaster"),
    "an anchor": (
        lambda contents: contents[1].update(anchor=sha("x")),
        "not the link to which york",
    ),
    "a secret": (changed("secret", 0, secret="0" * 64), "not the secret to which york is bound"),
    "lines of two": (swapped, "here comes a"),
    "a line that is missing": (lambda contents: contents.pop(10), "is illegal: choose a figure"),
    "a line too much": (lambda contents: contents.append({**contents[-1]}), "it is over"),
    "a strange line": (changed("move", 0, text="hello"), "not a line of a game by mail"),
    "no seat": (changed("move", 0, seat="red"), "not a line of a game by mail"),
    "the law": (head(law="dice"), "law: 'dice' in the file"),
    "the version": (head(version="0"), "version: '0' in the file"),
    "the setup": (head(setup={}), "setup: players: missing"),
    "the game": (head(game="chess"), "unknown game 'chess'"),
    "the head": (head(before=None), "this is not a game by mail"),
    "moves before": (head(before=["fly"]), "'fly' cannot come here"),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_what_a_forger_changes_is_told_with_its_line(name, duel):
    tamper, told = TAMPERINGS[name]
    contents = duel.lines()
    tamper(contents)
    with pytest.raises(ReplayFileError, match=rf"^mail: line \d+: .*{told}"):
        read_mail(forged(contents), "mail", lambda *_: {1: secret(1)})


# -- at the keyboard


@pytest.fixture
def post(tmp_path, monkeypatch):
    """Return what runs a command at the machine of a seat."""
    monkeypatch.chdir(tmp_path)
    return lambda seat, *words, **how: brickphys(
        "play", *words, env={"XDG_STATE_HOME": str(tmp_path / seat)}, **how
    )


GO_ON = ("--resume", "duel.jsonl", "--bots", "random")


@pytest.fixture
def begun(post, tmp_path):
    """Return the file of a duel in which both seats have acted, and what it was before."""
    file, old = tmp_path / "duel.jsonl", []
    post("red", "bow", "duel", "--mail", "duel.jsonl", "--seat", "RED", "--seed", "1")
    for seat in ("blue", "red") * 4:
        old.append(file.read_text())
        assert post(seat, *GO_ON, "--seed", "2").returncode == 0
    assert '"seat": 1, "move"' in file.read_text()
    return file, old


def by_red(contents):
    contents[-1]["seat"] = 1


FORGERIES = {
    "is not what this seat has": changed("move", 1, move="end"),
    "is not what this seat has written": by_red,
    "is an old mail, which was answered": lambda contents: contents.__delitem__(slice(-8, None)),
    "no seat of this game is yours or free": lambda contents: contents[1].update(anchor=sha("x")),
}


def test_a_seat_finds_out_what_was_changed_whether_checks_are_made_anew_or_not(post, begun):
    """So it does with an old mail, a cut file, and the file of another game; the file stays as it is."""
    file, old = begun
    text = file.read_text()
    cases = {
        "line 2: was edited": text.replace('"seat": 0', '"seat": 1', 1),
        "is cut off": text[:-9],
        "is an old mail": old[3],
        "the replay was cut": "",
    }
    for told, tamper in FORGERIES.items():
        contents = [json.loads(line) for line in text.splitlines()]
        tamper(contents)
        cases[told] = forged(contents)
    post("red", "bow", "duel", "--mail", "other.jsonl", "--seat", "red")
    post("green", "--resume", "other.jsonl", "--bots", "random")
    cases["no seat of this game is yours"] = (file.parent / "other.jsonl").read_text()
    for told, changed_text in cases.items():
        file.write_text(changed_text)
        assert_refused(post("blue", *GO_ON), "duel.jsonl", told)
        assert file.read_text() == changed_text
    file.write_text(text)
    assert_refused(post("blue", *GO_ON, "--option", "a=1"), "has the game and its options")
    assert_refused(post("blue", "minifig", "duel.jsonl"), "has the game and its options")
    assert_refused(brickphys("replay", file), "is a game by mail: brickphys play --resume")


REFUSED = {
    "blade_and_bow thermopylae": "choices such as 'ranks",
    "pirate_wars duel --option simultaneous=true": "by mail only the cards of two can be",
    "bow duel --seat green": "--seat green: your seat is one of red, blue",
    "bow duel --typed": "--typed: leave it out in a game by mail",
    "--resume old.jsonl": "--seat: a game by mail begins with --mail FILE",
    "bow duel --replay duel.txt": "--replay: leave it out in a game by mail",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_played_by_mail_is_refused_before_anything_is_written(words, post, tmp_path):
    given = words.split() + ([] if "--seat" in words else ["--seat", "red"])
    assert_refused(post("red", *given, "--mail", "new.jsonl"), REFUSED[words])
    assert not [*tmp_path.glob("*.jsonl")]


def test_a_game_that_has_begun_at_one_keyboard_goes_on_by_mail(post, tmp_path):
    """What a seat has chosen before it quits cannot be taken back, because the others may have read it."""
    typed = "do walk\n1\nsave --seat green duel\nsave --seat RED duel\nquit\nquit\n"
    shown = post("red", "bow", "duel", "--bots", "person", "--seed", "7", typed=typed).stdout
    assert "your seat is one of red, blue" in shown
    assert "written; send it to blue, and quit" in shown
    assert '"do walk", "walk 0,0"], "check"' in (tmp_path / "duel.jsonl").read_text()
    told = post("blue", "--resume", "duel.jsonl", typed="quit\n").stdout
    assert told == "duel.jsonl: send it to red; `brickphys play --resume duel.jsonl` goes on\n"
    shown = post("red", "--resume", "duel.jsonl", typed="undo\ndo walk\nsave x\nquit\n").stdout
    assert "nothing to take back" in shown
    assert "it is stored when you quit" in shown
    assert shown.endswith("duel.jsonl: `brickphys play --resume duel.jsonl` goes on\n")
    assert "nothing to take back" in post("red", "--resume", "duel.jsonl", typed="undo\nq\n").stdout
    told = json.loads(post("red", "--resume", "duel.jsonl", "--json", "--bots", "random").stdout)
    assert told["mail"] == {"file": "duel.jsonl", "seat": 0, "waits_for": 1}
