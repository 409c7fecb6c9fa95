// Odd and far apart (the factors of bryc's cyrb128), one for each lane.
const factors = [597399067, 2869860233, 951274213, 2716044179];

/**
 * Four 32-bit numbers that look random and are the same in every run and on every platform: for ids, cursors and delays, not
 * for secrets. Each lane hashes the text with its own factor and ends like MurmurHash3.
 */
export const pseudoRandom = (text: string): number[] => factors.map((factor) => hash(text, factor));

const hash = (text: string, factor: number): number => {
  let bits = factor;
  for (let at = 0; at < text.length; at += 1) {
    bits = Math.imul(bits ^ text.charCodeAt(at), factor);
    bits ^= bits >>> 15;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
};
