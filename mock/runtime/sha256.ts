// FIPS 180-4. For ids that look random and are the same on every platform: the digests of browsers are asynchronous.

const fractionOf = (root: number): number => Math.floor((root % 1) * 2 ** 32);

const primes = ((): number[] => {
  const smallerPrimes: number[] = [];
  for (let candidate = 2; smallerPrimes.length < 64; candidate++)
    if (smallerPrimes.every((prime) => candidate % prime !== 0)) smallerPrimes.push(candidate);
  return smallerPrimes;
})();

const constants = Uint32Array.from(primes, (prime) => fractionOf(Math.cbrt(prime)));

const initial = Uint32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)));

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The SHA-256 of an ASCII text, in hexadecimal digits. */
export const sha256 = (text: string): string => {
  const hash = initial.slice();
  const bytes = new Uint8Array(Math.ceil((text.length + 9) / 64) * 64);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  bytes[text.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 4, text.length * 8);
  for (let start = 0; start < bytes.length; start += 64) addBlock(hash, view, start);
  return Array.from(hash, (part) => part.toString(16).padStart(8, '0')).join('');
};

const words = new Int32Array(64);

const addBlock = (hash: Uint32Array, view: DataView, start: number): void => {
  for (let at = 0; at < 16; at++) words[at] = view.getInt32(start + 4 * at);
  for (let at = 16; at < 64; at++)
    words[at] = word(at - 16) + word(at - 7) + mix(word(at - 15), word(at - 2));
  const state = Int32Array.from(hash);
  for (let at = 0; at < 64; at++) turn(state, at);
  for (let at = 0; at < 8; at++) hash[at] = (hash[at] ?? 0) + (state[at] ?? 0);
};

const word = (at: number): number => words[at] as number;

const mix = (early: number, late: number): number =>
  (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
  (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));

/** The eight words are not moved: in each round every name stands for the place before. */
const turn = (state: Int32Array, round: number): void => {
  const at = (name: number): number => state[(name - round) & 7] as number;
  const a = at(0);
  const e = at(4);
  const choice = (e & at(5)) ^ (~e & at(6));
  const majority = (a & at(1)) ^ (a & at(2)) ^ (at(1) & at(2));
  const sums = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice;
  const first = (at(7) + sums + (constants[round] as number) + word(round)) | 0;
  const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
  state[(3 - round) & 7] = at(3) + first;
  state[(7 - round) & 7] = first + second;
};
