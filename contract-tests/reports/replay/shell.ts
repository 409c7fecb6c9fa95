import {
  type Credentials,
  type Exchange,
  headerArguments,
  pathSegment,
  shellQuoted,
} from '../../client/exchange.ts';
import { addedId } from './steps.ts';

/** The value of `Authorization` in a script, which never contains the key itself. */
const tokens: Readonly<Record<Credentials, string | undefined>> = {
  key: '"Bearer $EMAIL_LEADS_API_KEY"',
  none: undefined,
  'random key': '"Bearer $random"',
  'key with ~ appended': '"Bearer $EMAIL_LEADS_API_KEY~"',
  'key in other case': '"Bearer $swapped"',
  'key after ~': '"Bearer ~$EMAIL_LEADS_API_KEY"',
  'end of the key': '"Bearer ${random%????}$end"',
  'key without its last character': '"Bearer ${EMAIL_LEADS_API_KEY%?}"',
  'key with another last character': '"Bearer ${EMAIL_LEADS_API_KEY%?}${random#"${random%?}"}"',
  'key with another first character': '"Bearer ~${EMAIL_LEADS_API_KEY#?}"',
  'key with - and _ exchanged': '"Bearer $exchanged"',
  'bearer with a random key': '"bearer $random"',
  'Bearer null': "'Bearer null'",
  'Bearer undefined': "'Bearer undefined'",
  'Bearer %': "'Bearer %'",
  'Bearer .*': "'Bearer .*'",
  'Bearer without a key': "'Bearer'",
  Basic: "'Basic eDp5'",
};

const small = 'abcdefghijklmnopqrstuvwxyz';
const capital = small.toUpperCase();

/** Maps each letter to another letter and each digit to another digit; a hexadecimal key stays hexadecimal. */
const others = `y/${small}${capital}0123456789/bcdefahijklmnopqrstuvwxyzgBCDEFAHIJKLMNOPQRSTUVWXYZG1234567890/`;

const variants: readonly (readonly [name: string, line: string])[] = [
  [
    '$random',
    `kind=$(printf %s "$EMAIL_LEADS_API_KEY" | sed -n '/^test_/!s/^\\(\\([A-Za-z]\\{1,10\\}_\\)\\{1,\\}\\).*/\\1/p')
random=$kind$(printf %s "\${EMAIL_LEADS_API_KEY#"$kind"}" | sed '${others}')`,
  ],
  [
    '$swapped',
    `swapped=$(printf %s "$EMAIL_LEADS_API_KEY" | sed 'y/${small}${capital}/${capital}${small}/')`,
  ],
  ['$exchanged', `exchanged=$(printf %s "$EMAIL_LEADS_API_KEY" | sed 'y/-_/_-/')`],
  ['$end', 'end=${EMAIL_LEADS_API_KEY#"${EMAIL_LEADS_API_KEY%????}"}'],
];

/** Escapes invisible characters, which have the same meaning as escapes in JSON. */
const escapeInJson = (text: string): string =>
  text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

/** A body as an argument. The shell generates parts that repeat a hundred times or more. */
const argument = (body: string): string => {
  const run = /([^'\\]{1,20}?)\1{99,}/.exec(body);
  if (!run?.[1]) return shellQuoted(escapeInJson(body));
  const [whole, unit] = run;
  const count = whole.length / unit.length;
  const expression = `"$(printf '%${count}s' '' | sed ${shellQuoted(`s/ /${unit.replaceAll(/[\\/&]/g, '\\$&')}/g`)})"`;
  const rest = body.slice(run.index + whole.length);
  return `${shellQuoted(escapeInJson(body.slice(0, run.index)))}${expression}${argument(rest)}`;
};

/** The path of a request. The id of a lead that an earlier step added is replaced by the variable with the new id. */
export const pathWord = (
  { path }: Exchange,
  addition: Exchange | undefined,
  all: readonly Exchange[],
): string => {
  if (!addition) return shellQuoted(path);
  const at = path.lastIndexOf('/', path.length - 2) + 1; // a path may end with a slash after the id
  const id = pathSegment(addedId(addition) ?? '');
  const isWhole = path.startsWith(id, at);
  const rest = path.slice(at + id.length - (isWhole ? 0 : 1));
  const name = `lead${all.indexOf(addition) + 1}`;
  return `"${path.slice(0, at)}${isWhole ? `$${name}` : `\${${name}%?}`}${rest}"`;
};

/** A request as a call of the function `ask` of a script. */
export const requestLine = (exchange: Exchange, number: number, path: string): string => {
  const { method, credentials, contentType, body, headers } = exchange;
  const token = tokens[credentials];
  return [
    `ask ${number} ${method} ${path}`,
    ...(token === undefined ? [] : [`-H "Authorization: ${token.replaceAll(/^["']|["']$/g, '')}"`]),
    ...(contentType === undefined
      ? body === undefined
        ? []
        : ["-H 'Content-Type:'"]
      : [`-H ${shellQuoted(`Content-Type: ${contentType}`)}`]),
    ...(exchange.bare ? [] : ["-H 'Accept: application/json'"]),
    ...headerArguments(exchange),
    ...(body === undefined ? [] : [`--data-raw ${argument(body)}`]),
    ...(headers['content-encoding'] === undefined ? [] : ['--compressed']),
  ].join(' ');
};

/** The lines that derive the wrong keys of a script from the key of its user. */
export const keyLines = (text: string): string[] =>
  variants
    .filter(([name]) => text.includes(name) || text.includes(name.replace('$', '${')))
    .map(([, line]) => line);

/** The first command of a script: it exits if there is no key. */
export const setUp = `[ -n "\${EMAIL_LEADS_API_KEY-}" ] || {
  echo 'EMAIL_LEADS_API_KEY: set it to the key of the deployment' >&2
  exit 2
}`;

/**
 * The shell functions of every script: `ask`, `show`, `made`, `keep`, `finish`, `stop`, and `clean`, which runs at its end. The
 * status comes from curl, because the headers of a response may follow those of a proxy.
 */
export const functions = `replies=$(mktemp -d) || exit 2
leads= ids='-e s/^//' problem=
ask() { # number, method, path, arguments of curl
  number=$1 method=$2 path=$3
  shift 3
  printf '%s %s' "$method" "$path" > "$replies/$number.request"
  : > "$replies/$number.head"
  : > "$replies/$number.body"
  curl -sS -X "$method" "$base$path" "$@" -D "$replies/$number.head" -o "$replies/$number.body" \\
    -w '%{http_code}' > "$replies/$number.status" 2> "$replies/$number.error"
}
status() {
  sed -n '$p' "$replies/$1.status"
}
media_type() {
  LC_ALL=C sed -n 's/^[Cc]ontent-[Tt]ype: *\\([ -~]*\\).*/\\1/p' "$replies/$1.head" | sed -n '$p' | sed 's/ *$//'
}
show() { # number, remark
  printf '\\n== %s: %s%s\\n' "$1" "$(sed -n 1p "$replies/$1.request")" "\${2-}"
  sed -n p "$replies/$1.head" "$replies/$1.body" "$replies/$1.error"
  echo
}
made() { # number, status in the run, key or other: whether the service responded; if not, sets problem
  case "$(status "$1") $3" in
  "$2 $3") return 0 ;;
  '000 '* | ' '*) problem='there was no response' ;;
  '401 key' | '403 key') problem="the key was refused with $(status "$1")" ;;
  407* | 429* | 50[234]*) problem="a response with $(status "$1") did not come from the service" ;;
  *) return 0 ;;
  esac
  return 1
}
added() { # the id of the lead that a request added, as part of a path
  sed -n 's/.*"lead_id" *: *"\\{0,1\\}\\([^",}]*\\).*/\\1/p' "$replies/$1.body" | sed -n '1{
s,\\\\/,/,g
s/%/%25/g
s,/,%2F,g
s/ /%20/g
s/#/%23/g
s/?/%3F/g
p
}'
}
keep() { # the id of a lead, to delete it and to ignore it in comparisons
  problem='no lead was added, and later steps need it'
  [ -n "$1" ] || return 1
  leads="$leads $1"
  case $1 in
  *[!A-Za-z0-9_-]* | ? | ?? | ???) ;;
  *[A-Za-z]*) ids="$ids -e s/$1/LEAD/g" ;;
  esac
}
finish() { # exit code, result
  printf '\\n== Result: %s\\nexpected: %s\\nactual, in the run: %s\\n' "$2" "$expected" "$actual"
  exit "$1"
}
stop() { # number
  finish 2 "step $1 failed: $problem."
}
clean() {
  for lead in $leads $leads; do # twice: the deletion itself may fail
    curl -sS -o /dev/null -X DELETE "$base/api/v1/leads/$lead" -H "Authorization: Bearer $EMAIL_LEADS_API_KEY"
  done
  leads=
}
trap 'clean; rm -r "$replies"' EXIT
trap 'exit 130' INT TERM`;
