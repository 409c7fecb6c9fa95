// For tests: a gateway that wants a client certificate and a header field, in front of a service.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../../mock/testing/temporary-directory.ts';
import { selfSigned } from './self-signed.ts';

export const gatewaySecret = 'gw-4c1f00d5ecret77';

export type GatewayInTest = {
  readonly url: string;
  /** The variables with which a command passes it. */
  readonly variables: Readonly<Record<string, string>>;
  /** How many requests it let pass, and refused. */
  readonly counts: { passed: number; refused: number };
  readonly close: () => void;
};

/** Starts it on a free port. A refusal of it repeats the fields of the request, as some do. */
export const startGateway = async (upstream: string): Promise<GatewayInTest> => {
  const directory = temporaryDirectory();
  const [own, client] = [selfSigned(), selfSigned('client')];
  const fileOf = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  const counts = { passed: 0, refused: 0 };
  const server = createSecureServer(
    { ...own, requestCert: true, rejectUnauthorized: true, ca: client.cert },
    (req, res) => {
      const { 'x-gateway': secret, ...headers } = req.headers;
      if (secret !== gatewaySecret) {
        counts.refused += 1;
        res.writeHead(403, { 'content-type': 'text/html' }).end(`<title>${String(secret)}</title>`);
        return;
      }
      counts.passed += 1;
      const { hostname, port } = new URL(upstream);
      const onward = request({ hostname, port, method: req.method, path: req.url, headers }, (response) => {
        const { statusCode = 502, headers: received } = response;
        res.writeHead(statusCode, { ...received, 'x-seen': gatewaySecret });
        response.pipe(res);
      });
      req.pipe(onward.on('error', () => res.destroy()));
    },
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    variables: {
      EMAIL_LEADS_HEADER: `X-Gateway: ${gatewaySecret}\nX-Team: qa`,
      EMAIL_LEADS_CLIENT_CERT: fileOf('client.pem', client.cert),
      EMAIL_LEADS_CLIENT_KEY: fileOf('client.key', client.key),
      EMAIL_LEADS_CA: fileOf('ca.pem', own.cert),
    },
    counts,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
