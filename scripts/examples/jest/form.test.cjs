/** @jest-environment jsdom */
// In a simulated browser the page calls the mock over HTTP.
const { useMock } = require('email-leads/jest');

const mock = useMock();

const submit = (name) =>
  new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${mock.url}/api/v1/leads`);
    request.setRequestHeader('authorization', `Bearer ${mock.apiKey}`);
    request.setRequestHeader('content-type', 'application/json');
    request.onload = () => {
      document.body.textContent = request.status === 200 ? 'Thank you' : 'Please try again';
      done();
    };
    request.send(JSON.stringify({ name }));
  });

test('a failure is shown, and trying again helps', async () => {
  mock.faults.set({ operation: 'addLead', status: 503, times: 1 });
  await submit('Lena');
  expect(document.body.textContent).toBe('Please try again');
  await submit('Lena');
  expect(document.body.textContent).toBe('Thank you');
  expect(mock.state().leads).toMatchObject([{ name: 'Lena' }]);
});
