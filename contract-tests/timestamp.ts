const iso = /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?(?:Z|[+]00(?::?00)?)$/;

/**
 * Whether a text is an ISO 8601 date and time in UTC (§2.2, §2.3): a real date, `T`, seconds and fractions optional,
 * `Z` or a zero offset. Wider than RFC 3339, because the document asks for ISO 8601, and narrower than `Date.parse`.
 */
export const isTimestamp = (text: string): boolean => {
  const match = iso.exec(text);
  if (!match) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const leapSecond = second === 60 && hour === 23 && minute === 59;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth &&
    hour <= 23 &&
    minute <= 59 &&
    (second <= 59 || leapSecond)
  );
};

/** Milliseconds since 1970 of a text that `isTimestamp` accepts. */
export const timeOf = (text: string): number => {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (
    iso.exec(text)?.slice(1, 7) ?? []
  ).map((part) => Number(part ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute, second);
};
