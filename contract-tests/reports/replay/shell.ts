import { type ShellCode, sh, word } from '../../../mock/contract/shell.ts';
import { authorization, headerArguments, methods, needsRandom } from '../../client/curl.ts';
import { curlThrough, type Gateway } from '../../client/gateway.ts';
import { type Exchange, pathSegment } from '../../exchange/exchange.ts';
import { addedId } from './steps.ts';

/** Maps each letter to another letter and each digit to another digit; a hexadecimal key stays hexadecimal. */
const others = sh`y/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/bcdefahijklmnopqrstuvwxyzgBCDEFAHIJKLMNOPQRSTUVWXYZG1234567890/`;

const randomLines = sh`kind=$(printf %s "$EMAIL_LEADS_API_KEY" | sed -n '/^test_/!s/^\\(\\([A-Za-z]\\{1,10\\}_\\)\\{1,2\\}\\).*/\\1/p')
random=$kind$(printf %s "\${EMAIL_LEADS_API_KEY#"$kind"}" | sed '${others}')`;

/** The lines that derive wrong keys from the key of the user. */
export const keyLines = (exchanges: readonly Exchange[]): ShellCode[] =>
  exchanges.some(({ credentials }) => needsRandom(credentials)) ? [randomLines] : [];

/** The path of a request. The id of a lead that an earlier step added is replaced by the variable with the new id. */
export const pathWord = (
  { path }: Exchange,
  addition: Exchange | undefined,
  all: readonly Exchange[],
): ShellCode => {
  if (!addition) return word(path);
  const at = path.lastIndexOf('/', path.length - 2) + 1; // a path may end with a slash after the id
  const id = pathSegment(addedId(addition) ?? '');
  const isWhole = path.startsWith(id, at);
  const rest = path.slice(at + id.length - (isWhole ? 0 : 1));
  const number = all.indexOf(addition) + 1;
  const lead = isWhole ? sh`$lead${number}` : sh`\${lead${number}%?}`;
  return word(path.slice(0, at), lead, ...(rest === '' ? [] : [rest]));
};

/** A body. The ids of leads that earlier steps added, in `lead_id` or `id`, are replaced by the variables with the new ids. */
const bodyWord = (body: string, before: readonly Exchange[]): ShellCode => {
  const variableFor = (id: string): string | ShellCode => {
    const number = before.findLastIndex((addition) => addedId(addition) === id) + 1;
    return number === 0 ? id : sh`$lead${number}`;
  };
  const parts = body.split(/(?<="(?:lead_)?id":")([^"]*)(?=")/);
  return word(...parts.map((part, at) => (at % 2 === 0 ? part : variableFor(part))));
};

/** A request as a call of the function `ask` of a script. */
export const requestLine = (
  exchange: Exchange,
  number: number,
  path: ShellCode,
  before: readonly Exchange[],
): ShellCode => {
  const { method, credentials, body, bare, headers } = exchange;
  const key = authorization[credentials] ?? sh`''`;
  return sh`${[
    sh`ask ${number} ${methods[method]} ${path} ${key}`,
    ...(bare ? [] : [sh`-H 'Accept: application/json'`]),
    ...headerArguments(exchange),
    ...(body === undefined ? [] : [sh`--data-raw ${bodyWord(body, before)}`]),
    ...(headers['content-encoding'] === undefined ? [] : [sh`--compressed`]),
  ]}`;
};

/** The first command of a script: it exits if there is no key. */
export const setUp = sh`[ -z "\${EMAIL_LEADS_API_KEY_FILE-}" ] || EMAIL_LEADS_API_KEY=$(cat "$EMAIL_LEADS_API_KEY_FILE")
[ -n "\${EMAIL_LEADS_API_KEY-}" ] || {
  echo 'EMAIL_LEADS_API_KEY: set it to the key of the deployment' >&2
  exit 2
}
LC_ALL=C
export LC_ALL`;

/**
 * The shell functions of every script: `ask`, `show`, `made`, `keep`, `finish`, `stop`, and `clean`, which runs at its end. The
 * status comes from curl, because the headers of a response may follow those of a proxy. The key is not among the arguments of a
 * program, which other users of the machine can see. The ids of leads are percent-encoded, one on each line of a file.
 */
export const functionsFor = (gateway: Gateway | undefined): ShellCode => sh`replies=$(mktemp -d) || exit 2
: > "$replies/leads"
problem=
send() { # method, path, Authorization header or nothing, arguments of curl; at most 60 s and some megabytes
  method=$1 path=$2 header=$3
  shift 3
  (
    trap '' XFSZ
    ulimit -f 40960
    ${curlThrough(gateway, sh`"$header"`)} -sS --max-time 60 --max-filesize 20971520 -X "$method" "$base$path" "$@"
  )
}
ask() { # number, method, path, Authorization header or nothing, arguments of curl
  number=$1
  printf '%s %s\\n' "$2" "$3" > "$replies/$number.request"
  shift
  : > "$replies/$number.head"
  : > "$replies/$number.body"
  send "$@" -D "$replies/$number.head" -o "$replies/$number.body" -w '%{http_code}' \\
    > "$replies/$number.status" 2> "$replies/$number.error"
}
status() { # sets code
  code=
  read -r code < "$replies/$1.status" || :
}
plain() { # without what a terminal or a CI server could take for a command
  head -c 100000 | tr -d '\\000-\\010\\013-\\037\\177' |
    sed -e "$invisible" -e 's/^\\([[:space:]]*:\\):/\\1 :/' -e 's/##\\([A-Za-z]*\\[\\)/## \\1/g'
}
invisible=$(printf 's/\\302[\\200-\\237]//g;s/\\342\\200[\\213\\216\\217\\250-\\257]//g;s/\\342\\201[\\240-\\257]//g;s/\\357\\273\\277//g')
show() { # number, remark
  read -r request < "$replies/$1.request"
  {
    printf '\\n== %s: %s%s\\n' "$1" "$request" "\${2-}"
    sed -n p "$replies/$1.head" "$replies/$1.body" "$replies/$1.error"
    echo
  } | plain
}
made() { # number, status in the run, key or other: whether the service responded; if not, sets problem
  status "$1"
  case "$code $3" in
  "$2 $3") return 0 ;;
  '000 '* | ' '*) problem='there was no response' ;;
  '401 key' | '403 key') problem="the key was refused with $code" ;;
  407* | 429* | 50[234]*) problem="a response with $code did not come from the service" ;;
  *) return 0 ;;
  esac
  return 1
}
added() { # the id of the lead that a request added, percent-encoded
  id=$(sed -n 's/.*"lead_id" *: *"\\{0,1\\}\\([^",}]*\\).*/\\1/p' "$replies/$1.body" | sed -n '1s,\\\\/,/,g;1p')
  case $id in
  . | .. | *[!A-Za-z0-9._~:@=,-]*) printf %s "$id" | od -An -v -tx1 | sed 's/[0-9a-f][0-9a-f]/%&/g' | tr -d ' \\n' ;;
  *) printf %s "$id" ;;
  esac
}
keep() { # the id of a lead, to delete it at the end
  problem='no lead was added, and later steps need it'
  [ -n "$1" ] && printf '%s\\n' "$1" >> "$replies/leads"
}
finish() { # exit code, result
  printf '\\n== Result: %s\\nexpected: %s\\nactual, in the run: %s\\n' "$2" "$expected" "$actual"
  exit "$1"
}
stop() { # number
  finish 2 "step $1 failed: $problem."
}
clean() {
  while IFS= read -r lead; do
    send DELETE "/api/v1/leads/$lead" "Authorization: Bearer $EMAIL_LEADS_API_KEY" --max-time 10 -o /dev/null 2>&1
  done < "$replies/leads" | plain
}
trap 'clean; rm -r "$replies"' EXIT
trap 'exit 130' INT TERM`;
