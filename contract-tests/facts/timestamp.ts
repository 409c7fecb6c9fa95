const timeInUtc = /^(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?(?:Z|[+]00(?::?00)?)$/;

const dayMs = 86_400_000;

/** Midnight of a day; unlike `Date.UTC`, it does not map the years 0 to 99 to 1900 to 1999. */
const midnight = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month - 1, day);

const yearOf = (time: number): number => new Date(time).getUTCFullYear();

const fromCalendar = (year: number, month: number, day: number): number => {
  const time = midnight(year, month, day);
  const real = new Date(time).getUTCMonth() === month - 1 && new Date(time).getUTCDate() === day;
  return real ? time : Number.NaN;
};

/** Week 1 contains the fourth of January; a week belongs to the year of its Thursday. */
const fromWeek = (year: number, week: number, day: number): number => {
  const fourth = midnight(year, 1, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs + (week - 1) * 7 * dayMs;
  return yearOf(monday + 3 * dayMs) === year ? monday + (day - 1) * dayMs : Number.NaN;
};

const fromOrdinal = (year: number, day: number): number => {
  const time = midnight(year, 1, day);
  return day >= 1 && yearOf(time) === year ? time : Number.NaN;
};

const numbersIn = (pattern: RegExp, text: string): number[] | undefined =>
  pattern
    .exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));

/** The three date formats of ISO 8601: month and day, week and weekday, day of the year. */
const dateForms: readonly (readonly [RegExp, (year: number, part: number, day: number) => number])[] = [
  [/^(\d{4})-?(\d{2})-?(\d{2})$/, fromCalendar],
  [/^(\d{4})-?W(\d{2})-?([1-7])$/, fromWeek],
  [/^(\d{4})-?(\d{3})$/, fromOrdinal],
];

const dateOf = (text: string): number => {
  for (const [pattern, read] of dateForms) {
    const numbers = numbersIn(pattern, text);
    if (numbers) return read(numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0);
  }
  return Number.NaN;
};

const timeOfDay = (text: string): number => {
  const numbers = numbersIn(timeInUtc, text);
  if (!numbers) return Number.NaN;
  const [hour = 0, minute = 0, second = 0] = numbers;
  const leapSecond = second === 60 && hour === 23 && minute === 59;
  const real = hour <= 23 && minute <= 59 && (second <= 59 || leapSecond);
  return real ? ((hour * 60 + minute) * 60 + second) * 1000 : Number.NaN;
};

/** Milliseconds since 1970, without fractions of a second, for a text that `isTimestamp` accepts; otherwise `NaN`. */
export const timeOf = (text: string): number => {
  const [date = '', time = '', ...more] = text.split('T');
  return more.length > 0 ? Number.NaN : dateOf(date) + timeOfDay(time);
};

/**
 * Whether a text is an ISO 8601 date and time in UTC (§2.2, §2.3): a real date, `T`, seconds and fractions optional,
 * `Z` or a zero offset. Wider than RFC 3339, because the document asks for ISO 8601, and narrower than `Date.parse`.
 */
export const isTimestamp = (text: string): boolean => !Number.isNaN(timeOf(text));
