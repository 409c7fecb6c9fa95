// A certificate that nobody signed, made for the moment: a committed one would expire, and be a private key in a repository.
import { execFileSync } from 'node:child_process';

const options = 'req -x509 -newkey rsa:2048 -nodes -days 2 -keyout - -out -'.split(' ');

/** Key and certificate as PEM, for a TLS server that no client has a reason to trust. */
export const selfSigned = (host = 'localhost') => {
  const made = execFileSync('openssl', [...options, '-subj', `/CN=${host}`], { stdio: 'pipe' });
  const [key = '', cert = ''] = String(made).match(/-----BEGIN [\s\S]*?-----END .*\n/g) ?? [];
  return { key, cert };
};
