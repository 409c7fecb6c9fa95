const formats = {
  long: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }),
  short: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: 'numeric',
  }),
};

type Props = { readonly time: string; readonly format?: keyof typeof formats };

/** A time of the workspace, where the reader is; short in a list. */
export const Moment = ({ time, format = 'long' }: Props) => (
  <time dateTime={time} title={time}>
    {formats[format].format(Date.parse(time))}
  </time>
);
