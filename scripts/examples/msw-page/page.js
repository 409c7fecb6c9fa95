// The mock in a page, for example for Storybook. `npm install` writes the service worker (`msw init`), `npm start` shows the page.
import { createHandlers, createMock } from 'email-leads/msw';
import { setupWorker } from 'msw/browser';

// Global, so that stories, tests and the console can configure the mock.
export const mock = createMock();
globalThis.mock = mock;

await setupWorker(...createHandlers(mock, { baseUrl: 'https://mail.example.com' })).start({
  onUnhandledRequest: 'bypass',
});

document.body.innerHTML = '<form><input name="name"><button>Sign up</button><output></output></form>';
const form = document.querySelector('form');
form.onsubmit = async (event) => {
  event.preventDefault();
  const response = await fetch('https://mail.example.com/api/v1/leads', {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: form.elements.name.value }),
  }).catch(() => undefined);
  const { data, error } = (await response?.json()) ?? { error: 'no connection' };
  form.querySelector('output').value = data ? `Welcome, ${data.lead_id}` : error;
};
