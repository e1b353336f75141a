// Tracks: where a thing is at a time. Places are in steps of length, turns are quaternions, scalar last.

/** Return the number of the last time that is not after `ms`, at least 0. */
export function lastBefore(times, ms) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= ms) low = middle + 1;
    else high = middle;
  }
  return Math.max(low - 1, 0);
}

/** Return `{ at: [x, y, z], turn: [x, y, z, w] }` of a thing or of its copies at a time; lengths in mm. */
export function poseAt(thing, ms, stepMm, turnStep) {
  const times = thing.ms ?? [0];
  const number = lastBefore(times, ms);
  const next = Math.min(number + 1, times.length - 1);
  const span = times[next] - times[number];
  const share = span > 0 ? Math.min(Math.max((ms - times[number]) / span, 0), 1) : 0;
  const at = [0, 1, 2].map((axis) => {
    const start = thing.at[3 * number + axis];
    return stepMm * (start + share * (thing.at[3 * next + axis] - start));
  });
  return { at, turn: turnAt(thing.turn, number, next, share, turnStep) };
}

function turnAt(turns, number, next, share, turnStep) {
  if (!turns) return [0, 0, 0, 1];
  const start = turns.slice(4 * number, 4 * number + 4).map((part) => part * turnStep);
  const end = turns.slice(4 * next, 4 * next + 4).map((part) => part * turnStep);
  return slerp(normalized(start), normalized(end), share);
}

function normalized(turn) {
  const length = Math.hypot(...turn) || 1;
  return turn.map((part) => part / length);
}

function slerp(start, end, share) {
  let cosine = start.reduce((sum, part, index) => sum + part * end[index], 0);
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(Math.abs(cosine), 1);
  const angle = Math.acos(cosine);
  if (angle < 1e-5) return normalized(start.map((part, i) => part + share * (sign * end[i] - part)));
  const first = Math.sin((1 - share) * angle) / Math.sin(angle);
  const second = (sign * Math.sin(share * angle)) / Math.sin(angle);
  return start.map((part, i) => first * part + second * end[i]);
}

/** Tell whether something with spans `[[from, to], ...]` is shown at a time; without spans it always is. */
export function isShown(spans, ms) {
  return !spans || spans.some(([from, to]) => from <= ms && ms < to);
}
