// A certificate that nobody signed, made for the moment: a committed one would expire, and be a private key in a repository.
import { generateKeyPairSync, sign } from 'node:crypto';

/** DER: a tag, a length and what it holds (X.690). */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
const time = (ms: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const commonName = Buffer.from([0x06, 3, 0x55, 4, 3]);
const ecdsaWithSha256 = sequence(Buffer.from([0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]));
const day = 86_400_000;

/** Key and certificate as PEM, for a TLS server that no client has a reason to trust. */
export const selfSigned = (host = 'localhost'): { readonly key: string; readonly cert: string } => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(host)))));
  const content = sequence(
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const certificate = sequence(content, ecdsaWithSha256, bits(sign('sha256', content, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
};
