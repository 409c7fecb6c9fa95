// Mails, leads, templates and requests made to break out of the page that shows them.
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeInBrowser, press, rows, usePage } from '../../testing/browser.ts';
import { rawExchange } from '../../testing/raw-http.ts';
import { serve } from '../../testing/temporary.ts';

/** Attempts at a script, a request, a way out. `T` is the address of a server that must not be asked. */
const corpus: Readonly<Record<string, (T: string) => string>> = {
  script: (T) =>
    `<script>parent.broken=1;alert(1);fetch('${T}/fetch')</script><script src="${T}/a.js"></script>`,
  handlers: (T) =>
    `<img src=x onerror="top.broken=1;location='${T}/h'"><body onload="alert(1)"><video><source onerror=alert(1)></video><input autofocus onfocus=alert(1)><details open ontoggle=alert(1)>`,
  links: (T) =>
    `<a href="javascript:alert(1)">press</a><a href=" java&#9;script:parent.broken=1">b</a><a href="data:text/html,<script>alert(1)</script>">c</a><a href="${T}/top" target="_top">d</a><link rel=prefetch href="${T}/p"><link rel="dns-prefetch preconnect" href="${T}"><link rel=stylesheet href="${T}/s.css">`,
  refresh: (T) =>
    `<meta http-equiv="refresh" content="0;url=${T}/refresh"><meta http-equiv=refresh content="0;url=javascript:alert(1)">`,
  policy: () =>
    `<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'"><script>parent.broken=1</script>`,
  base: (T) => `<base href="${T}/" target="_top"><img src="pixel.png"><a href="evil">press</a>`,
  form: (T) =>
    `<form action="${T}/form" target="_top"><button autofocus>press</button></form><form id=f action="javascript:alert(1)"></form><button form=f>b</button>`,
  frames: (T) =>
    `<iframe src="${T}/frame"></iframe><iframe srcdoc="<script>top.broken=1;alert(1)</script>"></iframe><iframe src="javascript:alert(1)"></iframe><object data="${T}/object"></object><embed src="${T}/embed"><portal src="${T}/portal"></portal>`,
  svg: (T) =>
    `<svg onload="alert(1)"><script>alert(1)</script><image href="${T}/svg.png"/><use href="${T}/use.svg#a"/><foreignObject><iframe src="${T}/f"></iframe></foreignObject><a href="javascript:alert(1)"><text y=20>press</text></a><animate attributeName=href values="javascript:alert(1)"/></svg><math><mtext><img src=x onerror=alert(1)></mtext></math>`,
  css: (T) =>
    `<style>@import url("${T}/i.css");@font-face{font-family:x;src:url(${T}/x.woff)}body{font-family:x;background:url(${T}/bg.png)}</style><div style="background:url('${T}/inline.png');list-style:url(${T}/l.png)">x</div><table background="${T}/t.png"><td>x</table>`,
  images: (T) =>
    `<img src="${T}/image.png" srcset="${T}/image2.png 2x"><picture><source srcset="${T}/source.png"></picture><video poster="${T}/poster.png" src="${T}/v.mp4" autoplay></video><audio src="${T}/a.mp3" autoplay></audio>`,
  unclosed: (T) => `</iframe></body></html><plaintext><script>alert(1)</script><img src="${T}/u.png"><!--`,
};

const words = [
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}${alert(1)}<%= 1 %>',
  "'-alert(1)-'\u202E\u0000\u2028",
  'javascript:alert(1)//',
];

describeInBrowser('hostile content', () => {
  const mock = usePage({ answers: { 'send.address-format': 'unchecked' } });
  let address: string;
  let requested: string[] = [];
  beforeAll(async () => {
    address = await serve((received, response) => {
      requested.push(received.url ?? '');
      response.end();
    });
  });

  const show = async (page: Page, place: string): Promise<void> => {
    await page.goto(`${mock.url}/__admin/ui/?key=${mock.own}${place}`);
    await page.locator('main h1').last().waitFor();
  };
  /** Nothing ran, nothing was asked for elsewhere, and the page is where it was. Dialogs fail a test by themselves. */
  const unharmed = async (page: Page, place: string): Promise<void> => {
    expect(await page.evaluate('globalThis.broken ?? null')).toBeNull();
    expect(page.url()).toContain(place);
    // Of links that were clicked, a new tab may have loaded the page and its icon.
    expect(requested.filter((path) => path !== '/evil' && path !== '/favicon.ico')).toEqual([]);
  };

  test('mails: shown, clicked into, and read in every tab', async () => {
    requested = [];
    const names = Object.keys(corpus);
    for (const name of names) await mock.mail({ subject: name, html: corpus[name]?.(address) });
    const page = await mock.open();
    for (const [at, name] of names.entries()) {
      const place = `#/messages/msg_${String(at + 1).padStart(6, '0')}`;
      await show(page, place);
      await page.getByRole('heading', { name, exact: true }).waitFor();
      const frame = page.frameLocator('iframe');
      await frame.locator('html').waitFor({ state: 'attached' });
      await settled(page);
      await unharmed(page, place);
      const press = frame.getByText('press').first();
      if (await press.count()) await press.click({ force: true });
      // Through every tab and back to the first.
      await page.getByRole('radio', { name: 'Preview' }).focus();
      const tabs = await page.locator('.tabs input').count();
      for (let tab = 0; tab < tabs; tab++) await page.keyboard.press('ArrowRight');
      await unharmed(page, place);
    }
  });

  test('remote content is blocked, and images alone are loaded when asked for', async () => {
    requested = [];
    await mock.mail({
      html: `${corpus.images?.(address)}${corpus.css?.(address)}${corpus.script?.(address)}`,
    });
    const page = await mock.open('#/messages/msg_000001');
    await page.getByText('Remote content is blocked').waitFor();
    expect(requested).toEqual([]);
    await press(page, 'Load images');
    await page.getByText('Remote images are loaded').waitFor();
    await expect.poll(() => requested).toContain('/image.png');
    await settled(page);
    expect(requested.filter((path) => !/\.png$/.test(path))).toEqual([]);
  });

  test('a link in a mail opens a new tab, which knows nothing of this one, whatever it says', async () => {
    requested = [];
    const links = [
      `<a href="${address}/page" target="_self">press</a><a href="${address}/page">link</a>`,
      `<a rel=opener target=_blank href="${address}/page">link</a>`,
      `<a/rel="opener"/target="other"/href="${address}/page">link</a>`,
      `<svg height=50><a rel=opener target=_blank href="${address}/page"><text y=20>link</text></a></svg>`,
    ];
    for (const html of links) await mock.mail({ html });
    const page = await mock.open();
    for (const at of links.keys()) {
      await show(page, `#/messages/msg_00000${links.length - at}`);
      const popup = page.waitForEvent('popup');
      await page.frameLocator('iframe').getByText('link').click();
      const opened = await popup;
      await opened.waitForURL(`${address}/page`);
      expect(await opened.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
      await opened.close();
    }
    // Not even a link that insists on its own frame puts another site into the page.
    requested = [];
    await page.frameLocator('iframe').getByText('press').click();
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    expect(requested).not.toContain('/page');
    expect(page.url()).toContain('#/messages/msg_000001');
  });

  test('every field of everything', async () => {
    requested = [];
    const say = (method: string, path: string, body: object) => mock.call(method, path, { body });
    for (const [at, word] of words.entries()) {
      const id = `${at}${word.slice(0, 12)}`;
      await say('POST', '/__admin/templates', { id, name: word, body: `${word}{{a}}` });
      await say('POST', '/api/v1/email/send-template', { template_id: id, variables: { a: word }, to: word });
      await say('POST', '/api/v1/email/send', { subject: word, from: word, to: word, html: word });
      await say('POST', '/api/v1/leads', { name: word, source: word, note: word });
      await say('POST', '/api/v1/leads', { [word]: word });
    }
    // A path that no browser would send as it is.
    const stray =
      'GET /api/v1/<svg/onload=alert(1)> HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-A: <img src=x onerror=alert(1)>\r\n';
    await rawExchange(mock.port, `${stray}Authorization: Bearer ${mock.own}\r\n\r\n`);
    const page = await mock.open();
    for (const view of ['messages', 'requests', 'leads', 'templates']) {
      await show(page, `#/${view}`);
      for (const row of await rows(page).all()) await row.click();
      await unharmed(page, `#/${view}`);
    }
    for (const word of words) {
      await show(page, `#/messages?q=${encodeURIComponent(word)}`);
      await unharmed(page, '#/messages?q=');
    }
  });

  test('an address that was tampered with', async () => {
    requested = [];
    const page = await mock.open();
    for (const at of ['/messages/%', '/%00/x', '//evil.example', '/leads/..%2freset', 'javascript:alert(1)'])
      await show(page, `#${at}`);
    expect(requested).toEqual([]);
  });
});

/** Waits until the frame of a message is loaded, and the page painted twice after it. */
const settled = async (page: Page): Promise<void> => {
  await page.frames()[1]?.waitForLoadState('load');
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
};
