// Runs in Node.js and in a page: sends requests one after another.
const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding'];

export const send = async (requests, baseUrl) => {
  const responses = [];
  for (const [method, path, { key = 'test_key', headers = {}, body }] of requests) {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    });
    const text = await response.text();
    const common = [...response.headers].filter(([name]) => !ownHeaders.includes(name)).sort();
    responses.push({ method, path, status: response.status, headers: common, text });
  }
  return responses;
};
