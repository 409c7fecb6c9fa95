// The mock in a page, for example for Storybook. `npx msw init . --no-save` writes the service worker, `npm start` shows the page.
import { createHandlers, createMock } from 'email-leads/msw';
import { setupWorker } from 'msw/browser';
import { addLead } from './add-lead.mjs';

// Global, so that stories, tests and the console can configure the mock.
export const mock = createMock();
globalThis.mock = mock;

const api = { baseUrl: 'https://mail.example.com', apiKey: mock.apiKey };
await setupWorker(...createHandlers(mock, { baseUrl: api.baseUrl })).start({ onUnhandledRequest: 'bypass' });

document.body.innerHTML = '<form><input name="name"><button>Sign up</button><output></output></form>';
const form = document.querySelector('form');
form.onsubmit = async (event) => {
  event.preventDefault();
  const name = form.elements.name.value;
  form.querySelector('output').value = await addLead(api, name).then(
    (id) => `Welcome, ${id}`,
    ({ message }) => message,
  );
};
