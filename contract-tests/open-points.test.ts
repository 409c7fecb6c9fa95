// The registry of open questions against the document's open statements: none is lost, none is invented.
import { expect, test } from 'vitest';
import { listQuestions } from '../mock/questions.ts';
import { openPoints, pointOf } from './open-points.ts';
import { probes } from './probes/index.ts';

// The sections that say "not shown", as often as they say it of different things.
const notShown = {
  '2.3': 3,
  '3': 1,
  '4.1': 1,
  '4.2': 1,
  '4.3': 2,
  '4.4': 1,
  '4.6': 1,
  '4.8': 2,
  '5': 1,
  '6': 1,
  '7': 3,
  '8': 2,
  '9': 1,
};

test('every open statement of the document has its questions', () => {
  const counts: Record<string, number> = {};
  for (const { section, kind } of openPoints)
    if (kind === 'not shown') counts[section] = (counts[section] ?? 0) + 1;
  expect(counts).toEqual(notShown);
  expect(openPoints.filter(({ questions }) => questions.length === 0)).toEqual([]);
});

test('every question comes from one of them, and from one only', () => {
  const named = openPoints.flatMap(({ questions }) => questions).sort();
  expect(named).toEqual(
    listQuestions()
      .map(({ id }) => id)
      .sort(),
  );
});

test('a question cites the section that leaves it open, or one that repeats it', () => {
  // §8 repeats that limits are not shown; §4.2 and §5 concern what §7 leaves open for all.
  const repeated: Record<string, string> = {
    'lead.name-limit': '8',
    'lead.source-limit': '8',
    'lead.note-limit': '8',
    'auth.missing-status': '5',
    'auth.malformed-status': '5',
    'auth.unknown-key-status': '5',
  };
  for (const { id, section } of listQuestions())
    expect(section, id).toBe(repeated[id] ?? pointOf(id)?.section);
});

test('every observable question has one probe, and no other has any', () => {
  const observable = listQuestions().filter((question) => question.observable);
  expect(probes.map(({ question }) => question).sort()).toEqual(observable.map(({ id }) => id).sort());
});

test('probes come in the order of what they do to a deployment, and after those they follow', () => {
  const order = ['read', 'writes', 'send', 'unaddressed'];
  const alone = probes.filter(({ question }) => question !== 'template-send.to');
  const ranks = alone.map(({ needs }) => order.indexOf(needs));
  expect(ranks).toEqual([...ranks].sort());
  probes.forEach(({ follows = [] }, place) => {
    for (const before of follows)
      expect(probes.findIndex(({ question }) => question === before)).toBeLessThan(place);
  });
});
