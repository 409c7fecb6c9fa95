/** The greatest number an id of the mock's own has: as many digits as patterns and state files take. */
export const greatest = 999_999_999_999_999;

/**
 * The number for the next id. Nobody counts to the end, but a state may say that somebody did: then those that are free are
 * given out, from the end back.
 */
export const numberAfter = (last: number, isTaken: (number: number) => boolean): number => {
  if (last < greatest) return last + 1;
  let free = greatest;
  while (isTaken(free)) free -= 1;
  return free;
};

/** The highest number among ids of the forms the mock gives out, so that none is given out twice. */
export const highest = (ids: readonly (string | undefined)[]): number => {
  let most = 0;
  for (const id of ids) {
    const [, number] = /^(?:lead_|msg_|req_)?(\d{1,15})$/.exec(id ?? '') ?? [];
    if (number !== undefined && Number(number) > most) most = Number(number);
  }
  return most;
};

export const padded = (number: number): string => String(number).padStart(6, '0');
