"""Bad input of every command is told in one line, with status 2, before anything is printed or written."""

import shlex
from collections.abc import Callable
from pathlib import Path
from shutil import copy

import pytest
from PIL import Image

from brickphys.bow.scenario import SCENARIOS
from tests.cli.test_bodies import write_bodies
from tests.cli.test_course import SCENE as COURSE
from tests.cli.test_crash import SCENE as JEEP
from tests.cli.test_measure import write_bench
from tests.cli.test_scenario import BAD as BAD_SCENARIO
from tests.command_line import assert_refused, brickphys
from tests.scenario_text import scenario_text

TRAY = Path(__file__).parents[2] / "docs" / "tray.jpg"
CRASH = Path(__file__).parents[2] / "docs" / "crash.toml"


def write_home(folder: Path) -> None:
    """Files of a person who measures and counts, and links to one of them and to files that are not there."""
    write_bench(folder)
    scores = {"bad": "3,1\n3,5\n", "good": "3,1\n"}
    for name, rows in scores.items():
        (folder / f"{name}.csv").write_text(f"bricks,score\n{rows}")
    surfaces = {"full": "3,1,wood\n", "two": "3,1,wood\n1,1,cloth\n"}
    for name, rows in surfaces.items():
        (folder / f"{name}.csv").write_text(f"bricks,score,surface\n{rows}")
    contact = "friction = [0.01, 0.2]\nrestitution = [0.3, 0.5]\n"
    (folder / "slick.toml").write_text(f'name = "slick"\n{contact}source = "a guess"\n')
    (folder / "own.dat").write_text("mine")
    with Image.open(TRAY) as tray:
        tray.convert("L").save(folder / "grey.png")
        tray.crop((980, 140, 1100, 230)).resize((360, 270)).save(folder / "near.png")
    copy(TRAY, folder)
    links = {"link.png": "own.dat", "linked.png": "law.json", "film.gif": "new.gif.png"}
    for link, target in links.items():
        (folder / link).symlink_to(folder / target)


def write_games(folder: Path) -> None:
    """Replays of games that are over, go on or were edited; a roster; scenes; scenarios; sheets; a page."""
    duel = ("play", "bow", "duel", "--bots", "random", "--seed", "7", "--replay")
    hidden = ("play", "blade_and_bow", "marathon", "--bots", "random", "--seed", "1")
    for words in (
        (*duel, "over.jsonl"),
        (*duel, "duel.jsonl", "--max-steps", "60"),
        (*duel, "part.jsonl", "--max-steps", "9"),
        (
            "play",
            "minifig",
            "duel",
            "--bots",
            "random",
            "--seed",
            "2",
            "--save-roster",
            "veterans.toml",
        ),
        (*hidden, "--max-steps", "20", "--replay", "cards.jsonl"),
    ):
        assert brickphys(*words, cwd=folder).returncode == 0
    lines = (folder / "part.jsonl").read_text().splitlines(keepends=True)
    texts = {
        "edited.jsonl": "".join(lines[:3] + lines[4:]),
        "there.html": "mine",
        "course.toml": COURSE,
        "jeep.toml": JEEP,
        "bad.toml": BAD_SCENARIO,
        "mine.toml": scenario_text(SCENARIOS.scenario("duel")),
        "empty.toml": "",
        "armies.toml": '[[army]]\nname = "reds"\nunits = { knight = 2 }',
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    copy(CRASH, folder / "scene.toml")
    copy(folder / "duel.jsonl", folder / "keep.png")
    (folder / "there").mkdir()
    (folder / "link.png").symlink_to(folder / "same.png")


IN_AN_EMPTY_FOLDER = """
drop 2x9 => did you mean '2x8'
drop => Missing argument 'SHAPE'
drop cuboid:0x10x10 => 0
drop coin:900x2 => 900
drop 2x2 --surface wod => did you mean 'wood'
drop 2x2 --surface= => unknown surface ''
drop 2x2 --preset hnd => did you mean 'hand'
drop 2x2 --engine bulet => did you mean 'bullet'
drop 2x2 --height-mm 300:100 => reversed
drop 2x2 --height-mm 10000 => height_mm 10000
drop 2x2 --height-mm 1:2:3 => not a range
drop 2x2 --restitution 0.95 => the range of the compiled engine
drop 2x2 --throws 0 => throws 0
drop 2x2 --bricks 0 => bricks 0
drop 2x2 --workers 0 => workers 0
drop 2x2 --seed -1 => seed -1
drop 2x2 --seed 9007199254740992 => 2**53-1
drop 2x2 --throws many => many
drop 2x2 --edge-radius-mm 8 => edge_radius_mm 8 is not from 0 to below 1.4
poses 2x2 --edge-radius-mm -0.1 => edge_radius_mm -0.1 is not from 0
poses 2x2:r0.2 --edge-radius-mm 0.2 => second one
odds 3 => Missing argument
odds 3 2 --seed -1 => seed -1
odds 3 2 --law= => the name of the file is empty
validate collison => unknown command 'collison': did you mean 'collisions'?
batch reprot => unknown command 'reprot': did you mean 'report'?
ladder bow duel --bots greedy => --bots greedy: duel needs at least 2 bots
ladder bow duel --bots greedy,gredy => did you mean 'greedy'
ladder bow duel --bots greedy,hrad:2s => unknown bot 'hrad:2s'
ladder bow duel --bots greedy,hard:0 => bot 'hard:0'
ladder bow duel --bots greedy,hard:3600s => hard:3600s may think for more than 60 s
ladder bow duel --bots greedy,hard:9000000 => 1,000,000 states a decision: --yes allows it
play bow duel --bots greedy,hard:3600s => --bots: hard:3600s may think for more than 60 s
ladder bow duel --bots greedy,random,greedy => greedy is there twice
ladder bow duel --bots greedy,person => unknown bot 'person'
ladder bow duel --bots greedy,random --games 7 => 7 is not a positive multiple of 2
ladder bow duel --bots greedy,random --games 0 => 0 is not
ladder bow duel --bots greedy,random --games 20000000 => up to 20,000,000 runs, which is more than 10,000,000: --yes
ladder bow duel --bots greedy,random --sprt 50 => not ELO0,ELO1
ladder bow duel --bots greedy,random --sprt 50,0 => the smaller first
ladder bow duel --bots greedy,random --sprt 0,50,0.05 => not ELO0,ELO1
ladder bow duel --bots greedy,random --sprt 0,50,0,0.05 => error rates
ladder bow duel --bots greedy,random --option foo=1 => unknown key
ladder bow duel --bots greedy,random --option foo => not NAME=VALUE
ladder bow duel --bots greedy,random --dask-wait 3 => --dask-wait is for --dask
ladder bow dul --bots greedy,random => did you mean 'duel'
ladder pirate_wars duel --bots greedy,random --law glass => rolls dice, not bricks
ladder campaign ten_days --bots greedy,random --sprt 0,50 => ten_days has 1 seat
odds 3 2 --p 1.5 => 1.5
odds 3 2 --p 1/0 => 1/0
odds 3 2 --p 0.3 --law glass => exclude
odds 3 2 --law missing.json => missing.json
odds 3 2 --law 0.3 => --law: 0.3 is a number: write --p 0.3
odds 3 2 --hp 0 => 0
odds 3 2 --attacks 2 => success and damage of a turn: brickphys odds compare "3 2" "3 2 --attacks 2"
odds 3 2 --hp 3 --attacks 0 => attacks: 0 is outside
odds 3 2 --hp 3 --attacks 300000000 => 1..100
odds 3 2 --p 1e-3000000 => is no chance
odds 3 2 --law /dev/null => is a device
odds 3 2 --plot /dev/full.png/x.png => no folder
roll 3 --live --preset= => preset ''
calibrate --out law.png --plot law.png => same file
calibrate --out /dev/full --force => device
calibrate --out /proc/law.json => /proc/law.json
validate throws missing.csv --folds 3 => --fit
validate throws missing.csv => missing.csv
validate engines --engines bullet => at least two
validate engines --engines bullet,bulet => did you mean 'bullet'
validate engines --throws 5 => throws 5 of bullet
validate engines --throws bullet=200 => no number for engine 'compiled'
validate engines --throws 200,bullet=300 => mixes
validate engines --plot map.txt => .png
validate engines --floor baseplate --engines bullet,compiled => compiled engine accepts only plane
validate engines --floor carpet => unknown floor 'carpet'
drop 2x2 --engine compiled --bricks 2 => at most 1 together
drop 2x2 --engine compiled --floor baseplate => accepts only plane, tray
odds -- -1 2 => -1
odds -1 2 => -1 is not an option
odds 3 2 --plto x.png => Did you mean --plot?
drop 2x2 --table glass => Did you mean --surface?
throw 2x2 => unknown command 'throw': did you mean 'drop'?
sphere => known: army
infer counts.csv --workers 1000 => workers 1000
odds 3 2 --plot map.txt => .png
roll 3 --live --law glass => exclude
roll 3 --surface cloth => --live
calibrate --shape coin:23x2 => no side
calibrate --half-width 0 => half-width 0
calibrate --engine compiled --bricks 1..6 => at most 1 together
drop 2x2 --floor trey => did you mean 'tray'
calibrate --floor baseplat => did you mean 'baseplate'
roll 3 --floor tray => need --live
calibrate --bricks 2..6 => 1..6
calibrate --out nowhere/law.json => nowhere
poses 2x2 --jsn => --json
army bow troper => did you mean 'trooper'
army bow trooper --out army.txt => the name must end in .png, .svg or .pdf
army bow trooper --pages => --pages needs --out
army bow trooper=10001 => 10,001 is outside 1..10,000
army bow duel => several armies, red, blue: choose one with --army
army bow duel --army rad => did you mean 'red'
army bow trooper --army red => leave it out; you have named the units
army bow trooper --p 2 => chance of a side: 2 is outside 0..1; 2 % is 0.02
army bow mine.toml --out mine.toml => the name must end in
army minifig solder,sword => unknown figure or thing 'solder': did you mean 'soldier'
army minifig soldier,swrd => did you mean 'sword'
army minifig soldier,sword,axe,club => a soldier has 2 hands
army minifig siege soldier => siege is a setup with its own armies
army pirate_wars black_perl => unknown ship or minifig 'black_perl': did you mean 'black_pearl'
army pirate_wars black_pearl --p 0.3 => this game rolls dice
army blade_and_bow hoplites => unknown kind of unit 'hoplites': did you mean 'hoplite'
army blade_and_bow marathon => several armies, greeks, persians
army blade_and_bow hoplite=0 => outside 1..10,000
army minifig none.toml => cannot be read
army campaign knight => campaign has no armies to print
roll 3 --animate t.gif => --animate films a throw, and needs --live
roll 3 --live --slow 2 => --slow needs --animate
roll 0 --live --animate t.gif => --animate: a throw needs at least 1 brick
roll 1 --live --animate t.png => --animate t.png: the name must end in .gif
roll 1 --live --animate t.gif --slow 0 => 0.1<=x<=100
play bow duel --bots random --rounds 2 => --rounds needs --plot, --animate or --html
play bow duel --bots random --rounds 4..2 --plot t.png => '4..2' is neither a round
play bow duel --bots random --rounds two --plot t.png => 'two' is neither a round
play bow duel --bots random --side red => --side needs --plot or --animate
odds compare '3 2' => 2 to 6 attacks, not of 1
odds compare 3 2 => '3': an attack is several words in quotes
odds compare '3 2' '-1 2' => -1 2 is not an option
odds compare '3 2' '61 2' => '61 2': attack: 61
odds compare '3 2' '3 2 --law glass' => '3 2 --law glass': No such option '--law'
odds compare '3 2' '' => '': an attack is several words in quotes
odds compare '3 2' 'knight '"'"'archer' => a quote is not closed
odds compare '3 2' 'knigt archer' => unknown unit 'knigt': did you mean 'knight archer' of bow?
odds compare '3 2' 'knight archer --range 20' => 'knight archer --range 20': knight has no weapon
odds compare '3 2' '3 --hp 2' => '3 --hp 2': Missing argument 'DEFENCE'
odds compare '3 2' 'bow atack knight archer' => did you mean 'attack'
odds compare '3 2' 'bow attack --help' => No such option '--help'
odds compare '3 2' 'pirate_wars sharks' => no event or number is in all of them
odds compare '3 2' '4 2' --p 0.3 --law glass => exclude each other
odds card card.txt => FILE card.txt: the name must end in .png, .svg or .pdf
odds card no/card.svg => there is no folder no
odds card card.svg --law glas => did you mean 'glass'
odds card card.svg --paper a7 => 'a7' is not one of
odds knigt archer => unknown unit 'knigt': did you mean 'knight archer' of bow?
odds hoplte 2*arhers => unknown unit 'hoplte': did you mean 'hoplite archers' of blade_and_bow?
odds knight hoplite => knight is a unit of bow, hoplite of blade_and_bow
odds black_pearl zeppelin => unknown unit of pirate_wars 'zeppelin': known: black_pearl,
odds knight => knight is a unit of bow: name its target, too
odds knight 3 => knight is a unit of bow: name its target, too
odds bwo attack => unknown game 'bwo': did you mean 'bow'
odds minifg attack soldier dog => unknown game 'minifg': did you mean 'minifig'
odds zz yy => unknown game 'zz': known:
odds soldier,swrd dog => did you mean 'sword'
odds soldier,sword dog --range 24 => soldier,sword has no weapon that shoots: spear, bow
odds soldier,bow dog --range 80 => range 80 in must be above 0 and at most 72 in
odds soldier,bow dog --cover => --cover changes shots only: give --range
odds soldier,bow dog --range 9 --experience-bricks => hand-to-hand fights only
odds knight archer --cover => --cover helps against shots only (BOW 2.4.2), and knight attacks
odds black_pearl imperial_flagship --ammunition shot => change shots only: give --range
odds black_pearl imperial_flagship --range 8 --raking => add --ammunition shot
odds marine pirate --range 4 --raking => apply to cannons: name ships
odds archers hoplite --range 4 --attacker-morale 5 => applies to melees only
odds black_pearl marine => name two ships or two minifigs
odds black_pearl imperial_flagship --range 13 => beyond the range of a cannon with ball, 12 studs
odds black_pearl imperial_flagship --cover => a ship, which has no cover
odds pirate marine --range 2 => a pirate has no weapon that shoots; these have: captain
odds marine pirate --range 5 => beyond the range of a musket, 4 studs
odds archers hoplite --range 9 => beyond the missiles of archers, whose range is 8 points
odds archers hoplite --cover => --cover applies to missiles only
odds hoplite archers --range 4 => stands first, archers hoplite
odds knight archer --range 4 => shoots: who attacks stands first, archer knight
odds pirate marine --range 2 => 'marine' shoots: who attacks stands first, marine pirate
odds soldier soldier,bow --range 9 => stands first, soldier,bow soldier
odds archers hoplite,town --range 4 --cover => 'woods' after 'town'
odds 3 2 --p 1.0000000001 => 1.0000000001 is outside 0..1
odds 3 2 --p 133% => 1.33 is outside 0..1
odds 3 2 --p % => is no chance
odds 3 2 --p 1/0 => is no chance
sensitivity => Missing argument 'SHAPE'
sensitivity 2x9 => did you mean '2x8'
sensitivity d6:16 => no side
sensitivity coin:20x2 => no side
sensitivity 2x2 --surface wod => did you mean 'wood'
sensitivity 2x2 --preset hnd => did you mean 'hand'
sensitivity 2x2 --throws 100 => --throws 100
sensitivity 2x2 --throws 1000000000 => --throws 1000000000
sensitivity 2x2 --throws many => many
sensitivity 2x2 --points 64 => --points 64
sensitivity 2x2 --points 100 => --points 100
sensitivity 2x2 --workers 0 => workers 0
sensitivity 2x2 --seed -1 => seed -1
sensitivity 2x2 --plot tornado.txt => .png
sensitivity 2x2 --plot nowhere/tornado.png => nowhere
sheet bow troper => unknown sheet 'troper': did you mean 'trooper'?
sheet bow none.toml => none.toml: cannot be read: No such file or directory
sheet bow snowspeeder --speed 3 => snowspeeder: speed 3 is not one of 0, 4, 5, 6, 7, 8
sheet bow trooper --damage 2 => trooper: damage 2 is not from 0 to 1
sheet bow --speed 3 => --speed and --damage apply to one sheet
sheet bow trooper --plot sheet.txt => the name must end in .png
validate throws missing.csv --tracks missing.npz => missing.csv
validate throws missing.csv --tracks missing.npz --uncorrected => exclude
validate throws missing.csv --fit --folds 1 => folds 1
validate throws missing.csv --fit --friction 0.2 => --fit
validate throws missing.csv --distances => --distances needs --fit
validate throws missing.csv --edge-radius-mm 60 => edge_radius_mm 60
validate radius missing.npz => missing.npz
validate radius missing.npz --cube-mm nan => cube edge nan
validate prisms --throws 0 => throws 0
validate prisms --edge-radius-mm 4 => edge_radius_mm 4
validate coin --edge-radius-mm -1 => edge radius
validate prisms --throws 100001 => 1..100000
validate prisms --preset hnad => did you mean 'hand'
validate prisms --height-mm 1:2 --workers 1 => height_mm 1
validate prisms --plot shares.txt => .png
validate coin --friction nan => friction nan
validate coin --restitution 0.8 --workers 1 => 0 to 0.7
validate coin --workers 0 => workers 0
play bwo duel => unknown game 'bwo': did you mean 'bow'?
play duel bow => unknown game 'duel': bow has it, did you mean 'bow duel'?
play trooper => unknown game 'trooper': bow has it, did you mean 'bow trooper'?
play bow => Missing argument 'SCENARIO': ambush, ambush_fair, chase, confrontation, duel,
play pirate duel => unknown game 'pirate': did you mean 'pirate_wars'?
play bow duel --option crashes=rules --option crashes=rules => a name is given twice
play bow duel --law '' => the name of the file is empty
play bow dual => unknown setup 'dual': did you mean 'duel'?
play bow none.toml => none.toml: cannot be read: No such file or directory
play bow duel --bots greedi => --bots: unknown player 'greedi': did you mean 'greedy'?
play bow duel --bots random,random,random => --bots: 3 players (random, random, random), but the game has 2
play bow duel --option dispute=maybe => setup: options.dispute: 'maybe' should be true or false
play bow duel --law glas => brickphys: --law: glas: no such file, nor a shipped law
play bow duel --surface cloth => --surface need --live
play bow duel --live --surface sand => unknown surface 'sand'
play bow duel --live --typed => exclude each other
play bow duel --live --law glass => exclude each other
play bow duel --max-steps 0 => --max-steps
play bow duel --seed -1 => outside 0..2**53-1
play bow duel --plot course.txt => must end in .png, .svg or .pdf
play bow duel --animate course.mp4 => must end in .gif
play => Missing argument 'GAME': blade_and_bow, bow,
play bow duel --bots random --max-steps 100001 --replay a.jsonl => 100,001 is above 100,000, which a --replay can hold
play pirate_wars duel --law glass => brickphys: --law: pirate_wars rolls dice, not bricks
play pirate_wars duel --live => brickphys: --live: pirate_wars rolls dice, not bricks
play pirate_wars duel --preset cup => brickphys: --preset: pirate_wars rolls dice, not bricks
play pirate_wars duel --floor tray => brickphys: --floor: pirate_wars rolls dice, not bricks
play pirate_wars duel --surface cloth --live => brickphys: --live, --surface: pirate_wars rolls dice, not bricks
odds compar '3 2' '4 3' => did you mean 'compare'
odds minifg attack => did you mean 'minifig'
odds card c.svg --game pirate_wars --p 0.3 => this game rolls dice
odds card c.svg --game chess => unknown game 'chess'
laws defalt => nor a shipped law
"""
AT_HOME = """
collide own.dat --plot link.png --force => SCENE.toml and --plot
collide scene.toml --plot new.gif.png --animate film.gif => --plot and --animate
calibrate --out law.json --plot linked.png --force => --out and --plot
infer own.dat --plot link.png --force => FILE and --plot
odds 3 2 --law own.dat --plot link.png --force => --law and --plot
scenario bow own.dat --plot link.png --force => FILE and --plot
sheet bow own.dat --plot link.png --force => FILE and --plot
validate throws own.dat --plot link.png --force => FILE and --plot
validate throws x.csv --tracks own.dat --plot link.png --force => --tracks and --plot
infer => Missing argument 'FILE'
infer nowhere.csv => cannot be read
infer . => cannot be read
infer bad.csv => row 2 (line 3), column score: 5 of 3
infer good.csv --surface wod => did you mean 'wood'
infer full.csv --surface glass => the file has hands on wood only
infer two.csv --out law.json => the counts are for wood, cloth; choose one with surface (--surface)
infer two.csv --law default --out law.json => the counts are for wood, cloth
infer good.csv --surface slick.toml => friction 0.01 to 0.2 of slick reaches beyond the response surface
infer good.csv --prior flat => prior 'flat'
infer good.csv --half-width 0 => half-width 0
infer good.csv --half-width nan => half-width nan
infer good.csv --law nowhere.json => nowhere.json
infer good.csv --law good.csv => counted throws, not a law
infer good.csv --throws 10 => throws 10 (--throws) is outside
infer good.csv --seed -1 => seed -1
infer good.csv --workers 0 --throws 6000 => workers 0
infer good.csv --law default --surface cloth --out law.json => is for wood, the counts for cloth
infer good.csv --out nowhere/law.json => there is no folder
infer good.csv --out good.csv => FILE and --out are the same file
infer good.csv --plot law.txt => .png
infer good.csv --out a.png --plot a.png => same file
measure tilt => Missing argument 'ANGLES
measure tilt 22 => angles: 1 of them
measure tilt 22 90 => angle 90 is not between 0 and 90 degrees
measure tilt 22 70 => reaches outside 0 to 5.7
measure tilt 22 x => 'x' is not a valid float
measure tilt 22 22 --error-deg 0 => all are equal and the reading error is 0
measure tilt 22 23 --out film.csv => film.csv: not TOML
measure tilt 22 23 --out mine.toml => has a tilt test already
measure tilt 22 23 --out nowhere/a.toml => there is no folder
measure count => Missing argument 'PHOTOS...'
measure count tray.jpg --camera-mm 696 => Missing option '--width-mm'
measure count tray.jpg --width-mm 32.8 --camera-mm 696 => 32.8 is outside 60 to 2000: is it in mm?
measure count tray.jpg --width-mm nan --camera-mm 696 => width_mm (--width-mm) nan is outside
measure count tray.jpg --width-mm 328 --camera-mm 69.6 => 69.6 is outside 150 to 5000: is it in mm?
measure count tray.jpg --width-mm 1000 --camera-mm 696 => 1200 pixels for 1000 mm are 1.2 a mm
measure count tray.jpg --width-mm 164 --camera-mm 696 => a brick 15.8 mm: are width_mm
measure count tray.jpg --width-mm 328 --camera-mm 696 --out a.csv => no counts: tray.jpg: unclear: 6
measure count tray.jpg --width-mm 328 --camera-mm 696 --out tray.jpg --force => are the same file
measure count tray.jpg --width-mm 328 --camera-mm 696 --bricks 61 => bricks (--bricks) 61 is outside 1..60
measure count tray.jpg tray.jpg --width-mm 328 --camera-mm 696 => two photos have the same name
measure count grey.png --width-mm 328 --camera-mm 696 => grey.png: no clear brick: nothing differs in colour
measure count near.png --width-mm 90 --camera-mm 150 => near.png: no clear brick: all that is seen is cut off
measure count film.csv --width-mm 328 --camera-mm 696 => film.csv: not a photo that can be read
measure count nowhere.jpg --width-mm 328 --camera-mm 696 => cannot be read
measure count tray.jpg --width-mm 328 --camera-mm 696 --pictures film.csv => there is no folder film.csv
measure brick => Missing argument 'READINGS
measure brick wall_mm=0.14,0.14 => wall_mm 0.14 is outside 0.8 to 2: is it in mm, and of a 2x2?
measure brick wall_mm=nan,1.4 => wall_mm nan is outside
measure brick wall=1.4,1.5 => unknown length 'wall'
measure brick wall_mm => 'wall_mm' is not of the form wall_mm=1.42,1.44
measure brick wall_mm=1.4 => wall_mm: 1 of them
measure brick edge_radius_mm=0.05,0.4 => -2 to 2.45 (95 % interval) reaches outside 0.02 to 0.7: repeat
measure brick wall_mm=1.4,1.4 --error-mm -1 => error -1 of wall_mm is not plausible
measure brick wall_mm=1.4,1.4 --out film.csv => film.csv: not TOML
measure drop => no drops
measure drop 75 70 => --height-mm is missing
measure drop 75 310 --height-mm 300 => height 310 mm of a rebound is above 300 mm
measure drop 7.5 7 --height-mm 300 => rebound 7.5 is outside 10 to 5000 mm: is it in mm?
measure drop 75,20 70 --height-mm 2000 => 272 mm would agree with both
measure drop 75 7a --height-mm 300 => '7a' is not of the form
measure drop --sound silence.wav => silence.wav: 0 clicks
measure drop --sound film.csv => not a WAV file
measure drop --sound nowhere.wav => cannot be read
measure drop 75 --sound silence.wav => leave out DROPS
measure film film.csv => Missing option '--fps'
measure film film.csv --fps 0 => fps 0 is outside
measure film film.csv --fps 60 => m/s2 (0.602 to 0.625), not 9.81: 240 frames/s or a scale 16 times
measure film film.csv --fps 240 --mm-per-px 10 => bodies fall at 98.1 m/s2
measure film film.csv --fps 240 --floor-px 500 => z counts upwards
measure film one.csv --fps 240 => throw 2: 1 frame; a speed needs at least 2
measure film empty.csv --fps 240 => the file is empty
measure film nowhere.csv --fps 240 => cannot be read
measure film film.csv --fps 240 --out film.csv => are the same file
measure film film.csv --fps 240 --scale-error 2 => scale error 2 is outside
measure law empty.csv => schema: missing
measure law mine.toml --surface wod => did you mean 'wood'
measure law mine.toml --surface cloth --counts counts.csv => the file has hands on wood only
measure law mine.toml --law baseplate => only planes are measured
measure law mine.toml --throws 10 => throws 10 (--throws) is outside 5120
measure law mine.toml --out mine.toml --force => are the same file
measure law ice.toml => friction 0.0404 (0.0215 to 0.062) is outside the response surface
odds 3 2 --law counts.csv => counted throws, not a law; `brickphys infer counts.csv --out law.json`
odds 3 2 --law mine.toml => measurements, not a law; `brickphys measure law mine.toml --out law.json`
"""
OF_BODIES = """
drop no_such.toml => no_such.toml: cannot be read
poses block.toml --edge-radius-mm 5 => edge_radius_mm 5 is not from 0 to below 5
poses felt.toml => friction: unknown key
drop 2x2 --surface block.toml => scores: unknown key
drop 2x2 --surface no_such.toml => no_such.toml: cannot be read
calibrate --shape unscored.toml => has no side
poses unstable.toml => scores: 'edge' is not a pose in which the body can rest
poses leaning.toml => no stable face has a pose
sensitivity unscored.toml => has no side
validate engines --shapes block.toml,unscored.toml => 'block wood 100:300' is in the grid twice
infer counts.csv --law block.json --shape block.toml => a response surface for it needs throws, such as
infer counts.csv --law block.json --throws 9999 => name that file with shape (--shape)
infer counts.csv --law block.json --throws 9999 --shape 2x2 => only for a law of a body file
infer counts.csv --throws 9999 --shape block.toml => only for a law of a body file
infer counts.csv --law block.json --throws 9999 --shape heavy.toml => heavy.toml has changed since
infer counts.csv --law block.json --throws 9999 --shape no.toml => no.toml: cannot be read
measure law mine.toml --law block.json => only bricks and plates are measured
"""
OF_GAMES = """
collide course.toml --physics => 'jeep' has no speed, which bodies need on a course, too
collide course.toml --clearance -1 => clearance -1 is not 0 or more
collide jeep.toml --animate film.png => --animate film.png: the name must end in .gif
collide jeep.toml --surface glass => --speed-scale and --surface need --physics or --animate
collide jeep.toml --physics --speed-scale 0 => 0 m/s for a point of speed is not from 0.01 to 1
collide jeep.toml --physics --surface woood => did you mean 'wood'?
collide jeep.toml --physics --surface '' => unknown surface ''
drop 2x2 --html throw.png => --html throw.png: the name must end in .html or .htm
drop 2x2 --html there.html => exists already; --force replaces it
drop 2x2 --html no/throw.html => there is no folder no
drop 2x2 --engine mujoco --html throw.html => the mujoco engine cannot record a throw
collide scene.toml --html scene.toml => are the same file
replay duel.jsonl --html duel.txt => the name must end in .html or .htm
replay over.jsonl --analyse --bot hrad => unknown level for --bot 'hrad': did you mean 'hard'?
replay over.jsonl --analyse --bot greedy1 => unknown level for --bot 'greedy1'
replay over.jsonl --analyse --bot hard:0 => bot 'hard:0': '0' is no budget of a decision
replay over.jsonl --analyse --bot hard:0s => bot 'hard:0s': '0s' is no budget of a decision
replay over.jsonl --bot hard => --bot needs --analyse
replay over.jsonl --analyse --bot= => unknown level for --bot ''
replay over.jsonl --analyse --step => --analyse and --step exclude each other
replay over.jsonl --analyse --viewer red => --analyse and --viewer exclude each other
replay over.jsonl --analyse --plot map.txt => the name must end in .png
replay over.jsonl --analyse --plot chances.png --rounds 1 => --plot with --analyse shows the whole game
replay edited.jsonl --analyse => line 4
replay cards.jsonl --analyse => --analyse: this game is not over, and the analysis would tell what is hidden in it
play minifig duel --bots random --save-roster veterans.toml => veterans.toml: exists already; --force
play minifig duel --bots random --save-roster veterans.txt => veterans.txt: the name must end in .toml
play minifig duel --roster veterans.toml --save-roster veterans.toml --force => --save-roster are the same file
play bow duel --bots random --save-roster new.toml => --save-roster new.toml: bow keeps no rosters
play bow duel --bots random --roster veterans.toml => bow keeps no rosters
play minifig raid --roster veterans.toml => veterans.toml: roster: unknown player of the battle
play --resume duel.jsonl --roster veterans.toml => continues a game
play minifig duel --bots random --roster duel.jsonl => duel.jsonl:
play minifig duel --bots random --roster none.toml => none.toml
play bow part.jsonl --option crashes=rules => keeps its seed and options
play pirate_wars part.jsonl => a replay of 'bow', not of 'pirate_wars'
play bow part.jsonl --bots greedy,greedy,greedy => 3 players (greedy, greedy, greedy), but the game has 2
play bow part.jsonl --replay part.jsonl --force => SCENARIO and --replay are the same file
play bow --bots random duel --replay same.png --plot same.png => --replay and --plot are the same file
play bow --bots random duel --replay same.png --plot ./there/../same.png => --replay and --plot are the same
play bow --bots random duel --replay same.png --plot link.png --force => --replay and --plot are the same file
play bow --bots random duel --replay same.gif --animate same.gif => --replay and --animate are the same file
play bow --bots random mine.toml --replay mine.toml --force => SCENARIO and --replay are the same file
scenario bow duell => unknown scenario 'duell': did you mean 'duel'?
scenario bow none.toml => none.toml: cannot be read: No such file or directory
scenario bow bad.toml --plot x.png => legend.R at 0,0.sheet: unknown & legend.B at 5,0.player: unknown
scenario bow --plot x.png => --plot draws one scenario
scenario bow duel --plot x.txt => the name must end in .png
play --resume over.jsonl => over.jsonl: the game is over and cannot be continued
play --resume edited.jsonl => edited.jsonl: line 4: was edited
play --resume none.jsonl => No such file
play --resume part.jsonl --seed 3 => keeps its seed and options
play --resume part.jsonl bow => the replay contains the game
play --resume part.jsonl --bots greedi => did you mean 'greedy'
play --resume part.jsonl --plot part.jsonl => same file
replay duel.jsonl --step --json => exclude each other
replay duel.jsonl --step --story => exclude each other
replay keep.png --plot keep.png --force => FILE and --plot are the same file
sheet bow empty.toml => empty.toml: there is no sheet in it
sheet bow armies.toml --plot a.png => armies.toml: there is no sheet in it
"""
"""Lines of what is typed, ``=>``, and what is said."""
FOLDERS: dict[Callable[[Path], object], str] = {
    Path.exists: IN_AN_EMPTY_FOLDER,
    write_home: AT_HOME,
    write_bodies: OF_BODIES,
    write_games: OF_GAMES,
}
REFUSED = {
    typed: (write, said)
    for write, lines in FOLDERS.items()
    for typed, _, said in (line.partition(" => ") for line in lines.strip().splitlines())
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[Path], object]], Path]:
    """Return the folder that a function fills, once for all tests: what is refused changes nothing in it."""
    known: dict[Callable[[Path], object], Path] = {}

    def folder(write: Callable[[Path], object]) -> Path:
        if write not in known:
            known[write] = tmp_path_factory.mktemp("folder")
            write(known[write])
        return known[write]

    return folder


def content(folder: Path) -> dict[str, bytes | None]:
    return {one.name: one.read_bytes() if one.is_file() else None for one in folder.iterdir()}


@pytest.mark.parametrize("typed", REFUSED)
def test_bad_input_is_one_line_and_status_2_and_changes_nothing(typed: str, folders) -> None:
    write, said = REFUSED[typed]
    folder = folders(write)
    before = content(folder)
    assert_refused(brickphys(*shlex.split(typed), cwd=folder), *said.split(" & "))
    assert content(folder) == before
