import { type PageFiles, readPageFiles } from '../../mock/runtime/page-files.ts';
import { isLoopback } from '../client/transport.ts';
import type { LiveView } from '../proxy/live-view.ts';

/** The page is for this machine only; a proxy for all addresses of it is there under this one too. */
export const liveAddress = (host: string, url: string): string | undefined => {
  if (isLoopback(new URL(url).hostname)) return `${url}/__proxy/ui/`;
  return host === '0.0.0.0' || host === '::'
    ? `http://127.0.0.1:${new URL(url).port}/__proxy/ui/`
    : undefined;
};

/** The files of the page, read on the first visit. */
export const createPageReader = (): LiveView['pageFile'] => {
  let files: PageFiles | undefined;
  return (name) => {
    files ??= readPageFiles('proxy');
    return files?.get(name);
  };
};
