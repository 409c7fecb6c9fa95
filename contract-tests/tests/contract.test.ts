// Every check of the suite as a test: against the mock, or against EMAIL_LEADS_URL, which is then only read.
import { test } from 'vitest';
import { contractTests } from '../library/index.ts';

const { EMAIL_LEADS_URL: url, EMAIL_LEADS_API_KEY: apiKey } = process.env;

contractTests({ test, strict: true, thorough: true, ...(url && { url }), ...(apiKey && { apiKey }) });
