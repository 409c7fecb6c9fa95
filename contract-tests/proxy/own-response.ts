import type { ServerResponse } from 'node:http';

/** A response of the proxy itself, in the shape in which the service reports errors. */
export const respond = (res: ServerResponse, status: number, error: string, message: string): void => {
  sendJson(res, status, { success: false, error, message }, { 'Email-Leads-Proxy': 'own response' });
};

export const sendJson = (
  res: ServerResponse,
  status: number,
  content: object,
  headers: Readonly<Record<string, string>> = {},
): void => {
  const body = JSON.stringify(content);
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  res.end(body);
};
