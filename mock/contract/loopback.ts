const loopback = /^(([a-z0-9-]+\.)*localhost|(::ffff:)?127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Whether a host is this machine, as an address to listen on, of a connection, or in a `Host` header. */
export const isLoopback = (host: string): boolean => loopback.test(host);
