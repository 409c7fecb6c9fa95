import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the system's Chromium is, or `undefined`. */
export const chromiumPath = (): string | undefined => candidates.find((path) => existsSync(path));

/** Why the browser tests are skipped here, for the title of what is skipped. */
export const noBrowser = 'skipped: no Chromium found (apt-get install chromium)';

/** A headless Chromium that looks nothing up in the network. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath() ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
