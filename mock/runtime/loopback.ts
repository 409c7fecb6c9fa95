const loopback = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/;

/** Whether a host is the machine itself: as an address to listen on, or as a `Host` header names it. */
export const isLoopback = (host: string): boolean => loopback.test(host);
