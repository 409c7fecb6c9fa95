/** Whose page this is: of the mock, or of `email-leads proxy`, which has requests only. The file says so in its first tag. */
export const isProxy = globalThis.document?.documentElement?.dataset.server === 'proxy';

export const serverName = isProxy ? 'proxy' : 'mock';
