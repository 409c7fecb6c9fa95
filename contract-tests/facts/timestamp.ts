const instant = /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?(?:Z|[+]00(?::?00)?)$/;

/** Milliseconds since 1970, without fractions of a second, for a text that `isTimestamp` accepts; otherwise `NaN`. */
export const timeOf = (text: string): number => {
  const [, year, month, day, hour, minute, second = '00'] = instant.exec(text) ?? [];
  const isLeapSecond = `${hour}:${minute}:${second}` === '23:59:60';
  const extended = `${year}-${month}-${day}T${hour}:${minute}:${isLeapSecond ? '59' : second}`;
  const time = Date.parse(`${extended}Z`);
  // `Date.parse` takes the thirtieth of February for a day in March.
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(extended);
  return isReal ? time + (isLeapSecond ? 1000 : 0) : Number.NaN;
};

/**
 * Whether a text is an ISO 8601 date and time in UTC (§2.2, §2.3): a real date, `T`, seconds and fractions optional,
 * `Z` or a zero offset, in the extended or the basic format. Wider than RFC 3339, because the document asks for ISO 8601.
 */
export const isTimestamp = (text: string): boolean => !Number.isNaN(timeOf(text));
