import { useEffect, useRef } from 'preact/hooks';
import type { MessageSummary } from '../../../nouns/outbox.ts';
import { Button } from '../../components/controls.tsx';
import { useMessages } from '../../components/dialogs.tsx';
import { hrefOf, navigate } from '../../data/router.ts';
import { useStored } from '../../data/stored.ts';
import { useLoaded } from '../../data/workspace.ts';

/** Browsers offer notifications on secure pages only: HTTPS and loopback. */
const isOffered = 'Notification' in window;

/** Shows a message. A click opens it. */
const notify = ({ id, subject, to, template_id }: MessageSummary): void => {
  const title = (subject ?? `Mail from template ${template_id}`) || '(no subject)';
  const notification = new Notification(title, { body: `To ${to ?? 'no recipient'}`, tag: id });
  notification.onclick = () => {
    window.focus();
    navigate(hrefOf('messages', id));
    notification.close();
  };
};

/** Switches notifications of the browser for new messages on and off. They show while the page is in the background. */
export const Notifications = () => {
  const { showNotice } = useMessages();
  const [choice, choose] = useStored('notifications', ['off', 'on']);
  const isOn = isOffered && choice === 'on' && Notification.permission === 'granted';
  const { data } = useLoaded<{ readonly messages: readonly MessageSummary[] }>(
    isOn ? '/outbox?limit=10' : undefined,
    ['outbox'],
  );
  const messages = data?.messages;
  /** The ids at the last look, and when the newest message was sent; after a deletion an older one is the newest. */
  const seen = useRef<{ readonly ids: readonly string[]; readonly at: string } | undefined>(undefined);
  useEffect(() => {
    const last = seen.current;
    seen.current = messages && {
      ids: messages.map(({ id }) => id),
      at: messages[0]?.created_at ?? last?.at ?? '',
    };
    if (!messages || !last || !document.hidden) return;
    const known = messages.findIndex(({ id }) => last.ids.includes(id));
    const fresh = known < 0 ? messages : messages.slice(0, known);
    for (const message of fresh.filter(({ created_at }) => created_at >= last.at).reverse()) notify(message);
  }, [messages]);
  if (!isOffered) return null;
  const change = async (): Promise<void> => {
    if (isOn) return choose('off');
    if ((await Notification.requestPermission()) === 'granted') return choose('on');
    showNotice(
      'The browser allows no notifications of this page. Allow them in its settings for this address.',
    );
  };
  return (
    <Button
      icon="bell"
      title="Notifications of new messages, while this page is in the background"
      kind="small"
      aria-pressed={isOn}
      onClick={change}
    />
  );
};
