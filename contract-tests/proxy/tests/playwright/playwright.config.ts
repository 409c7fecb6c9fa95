// The end-to-end tests of a team: they know the address of the service, and nothing of a proxy.
import { defineConfig } from '@playwright/test';

// Only where Playwright's own browser is not installed.
const executablePath = process.env.CHROMIUM;

export default defineConfig({
  reporter: 'line',
  use: {
    baseURL: process.env.EMAIL_LEADS_URL,
    launchOptions: executablePath ? { executablePath, args: ['--no-sandbox'] } : {},
    contextOptions: process.env.HAR_FILE
      ? { recordHar: { path: process.env.HAR_FILE, content: 'embed' } }
      : {},
  },
});
