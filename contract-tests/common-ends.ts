/** How many characters two texts have in common from their beginning. */
export const sharedStart = (one: string, other: string): number => {
  let at = 0;
  while (at < Math.min(one.length, other.length) && one[at] === other[at]) at += 1;
  return at;
};

/** How many characters two texts have in common at their end. */
export const sharedEnd = (one: string, other: string): number => sharedStart(reversed(one), reversed(other));

const reversed = (text: string): string => text.split('').reverse().join('');
