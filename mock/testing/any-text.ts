import { type Arbitrary, integer, oneof, string } from 'fast-check';

const ascii = integer({ min: 0, max: 0x7f });
const scalar = integer({ min: 0, max: 0x10f7ff }).map((code) => (code < 0xd800 ? code : code + 0x800));

/** Text of any characters, the usual ones more often. The units that fast-check brings take a second to set up. */
export const anyText = (maxLength?: number): Arbitrary<string> =>
  string({
    unit: oneof(ascii, scalar).map((code) => String.fromCodePoint(code)),
    ...(maxLength === undefined ? {} : { maxLength }),
  });
