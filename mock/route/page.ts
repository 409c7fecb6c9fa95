import type { PageFiles } from '../runtime/page-files.ts';
import { AdminError, RawReply } from './noun.ts';

/** The response with a file of the page, if the browser does not have it already. @throws AdminError if there is none */
export const pageReply = (
  files: PageFiles | undefined,
  name: string,
  etagHeader: string | undefined,
): RawReply => {
  if (!files) throw new AdminError(503, 'the page is not built', 'Run npm run build.');
  const file = files.get(name);
  if (!file) throw new AdminError(404, 'the page has no such file', 'It starts at ui/.');
  return etagHeader?.split(',').some((etag) => etag.trim() === file.headers.etag)
    ? new RawReply('', file.headers, 304)
    : new RawReply(file.body, file.headers);
};
