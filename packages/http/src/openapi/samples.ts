import type { CredentialKind } from '@matchyard/core'
import type { Endpoint } from '../endpoint'
import { isStream } from '../route-table'

/** Code sample of one operation in one language, in the form that OpenAPI renderers read. */
export interface CodeSample {
  /** Language for syntax highlighting. */
  readonly lang: string
  readonly label: string
  readonly source: string
}

/** The request of a sample. Its values come from the operation's recorded example. */
export interface Sent {
  readonly params: Readonly<Record<string, string>>
  readonly credential: CredentialKind | undefined
  readonly player?: string | undefined
  readonly body?: unknown
}

/** Environment variables for values that should not stand in code. `matchyard env` prints the first three. */
const URL_VARIABLE = 'MATCHYARD_URL'
const CREDENTIAL_VARIABLES: Readonly<Record<CredentialKind, string>> = {
  client: 'MATCHYARD_CLIENT_KEY',
  server: 'MATCHYARD_SERVER_KEY',
  session: 'MATCHYARD_SESSION',
  'game-server': 'MATCHYARD_SERVER_TOKEN',
  machine: 'MATCHYARD_MACHINE_TOKEN',
}
/** Environment variable of the operator's metrics token, which belongs to no account. */
const METRICS_VARIABLE = 'METRICS_TOKEN'
/** Environment variable of an upload URL, which contains its signature. */
const UPLOAD_VARIABLE = 'MATCHYARD_UPLOAD_URL'
const ARCHIVE = 'build.zip'

export const SAMPLE_VARIABLES = [
  URL_VARIABLE,
  ...Object.values(CREDENTIAL_VARIABLES),
  METRICS_VARIABLE,
  UPLOAD_VARIABLE,
] as const

/** A header of a sample's request, with the name of the environment variable that contains the header's value. */
interface Header {
  readonly name: string
  readonly text: string
  readonly variable?: string
}

/** A request, before it is written in a programming language. */
interface Request {
  readonly method: string
  /** Environment variable with the beginning of the URL. */
  readonly base: string
  readonly path: string
  readonly headers: readonly Header[]
  /** Body as indented JSON. */
  readonly json: string | undefined
  readonly archive: boolean
  readonly answer: 'json' | 'text' | 'events' | 'none'
}

/**
 * Returns samples of the operation in curl, JavaScript and C#. They need no library, and fail when the service refuses
 * the call.
 */
export function samplesOf(endpoint: Endpoint, sent: Sent): readonly CodeSample[] {
  const request = requestOf(endpoint, sent)
  return [
    { lang: 'bash', label: 'curl', source: curlOf(request) },
    { lang: 'javascript', label: 'JavaScript', source: javascriptOf(request) },
    { lang: 'csharp', label: 'C#', source: csharpOf(request) },
  ]
}

function requestOf({ method, path, operation, rawBody, success }: Endpoint, sent: Sent): Request {
  const archive = rawBody !== undefined
  return {
    method: method.toUpperCase(),
    base: archive ? UPLOAD_VARIABLE : URL_VARIABLE,
    path: archive
      ? ''
      : path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(sent.params[name] ?? name)),
    headers: [
      ...(operation === 'system.metrics' || operation === 'system.top' ? [bearer(METRICS_VARIABLE)] : []),
      ...(sent.credential === undefined ? [] : [credentialOf(sent.credential)]),
      ...(sent.player === undefined ? [] : [{ name: 'x-player-id', text: sent.player }]),
      ...(archive ? [{ name: 'content-type', text: rawBody.mediaType }] : []),
    ],
    json: sent.body === undefined ? undefined : JSON.stringify(sent.body, null, 2),
    archive,
    answer: isStream(operation) ? 'events' : answerOf(success),
  }
}

const answerOf = ({ answer, mediaType }: Endpoint['success']) =>
  answer === undefined ? 'none' : mediaType === undefined ? 'json' : 'text'

const bearer = (variable: string): Header => ({ name: 'authorization', text: 'Bearer ', variable })

function credentialOf(kind: CredentialKind): Header {
  const variable = CREDENTIAL_VARIABLES[kind]
  return kind === 'client' || kind === 'server' ? { name: 'api-key', text: '', variable } : bearer(variable)
}

function curlOf({ method, base, path, headers, json, archive, answer }: Request): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const lines = [
    `"$${base}${path}"`,
    ...headers.map(({ name, text, variable }) =>
      variable === undefined ? `--header ${quoted(`${name}: ${text}`)}` : `--header "${name}: ${text}$${variable}"`,
    ),
    ...(json === undefined ? [] : ["--header 'content-type: application/json'", `--data ${quoted(json)}`]),
    ...(archive ? [`--data-binary @${ARCHIVE}`] : []),
  ]
  const stream = answer === 'events' ? ' --no-buffer' : ''
  const verb = method === 'GET' ? '' : ` --request ${method}`
  return [`curl --fail-with-body${stream}${verb}`, ...lines].join(' \\\n  ')
}

const JAVASCRIPT_ANSWERS: Readonly<Record<Request['answer'], readonly string[]>> = {
  json: ['console.log(await response.json())'],
  text: ['console.log(await response.text())'],
  events: [
    'for await (const text of response.body.pipeThrough(new TextDecoderStream())) {',
    '  process.stdout.write(text)',
    '}',
  ],
  none: [],
}

function javascriptOf({ method, base, path, headers, json, archive, answer }: Request): string {
  const told = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const valueText = ({ text, variable }: Header) =>
    variable === undefined
      ? told(text)
      : text === ''
        ? `process.env.${variable}`
        : `\`${text}\${process.env.${variable}}\``
  const all = json === undefined ? headers : [...headers, { name: 'content-type', text: 'application/json' }]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(all.length === 0
      ? []
      : [
          '  headers: {',
          ...all.map(
            (header) => `    ${/^\w+$/.test(header.name) ? header.name : `'${header.name}'`}: ${valueText(header)},`,
          ),
          '  },',
        ]),
    ...(json === undefined ? [] : [`  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),`]),
    ...(archive ? [`  body: await readFile('${ARCHIVE}'),`] : []),
  ]
  const url = path === '' ? `process.env.${base}` : `\`\${process.env.${base}}${path}\``
  return [
    ...(archive ? ["import { readFile } from 'node:fs/promises'", ''] : []),
    ...(options.length === 0
      ? [`const response = await fetch(${url})`]
      : [`const response = await fetch(${url}, {`, ...options, '})']),
    'if (!response.ok) throw new Error(await response.text())',
    ...JAVASCRIPT_ANSWERS[answer],
  ].join('\n')
}

/**
 * Expressions for HTTP methods that exist in every .NET version of game engines. .NET Standard 2.0 has no
 * `HttpMethod.Patch`.
 */
const CSHARP_METHODS: Readonly<Record<string, string>> = {
  GET: 'HttpMethod.Get',
  POST: 'HttpMethod.Post',
  PUT: 'HttpMethod.Put',
  DELETE: 'HttpMethod.Delete',
}

function csharpOf({ method, base, path, headers, json, archive, answer }: Request): string {
  const told = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const variable = (name: string) => `Environment.GetEnvironmentVariable("${name}")`
  const valueText = ({ text, variable: name }: Header) =>
    name === undefined ? told(text) : `${text === '' ? '' : `${told(text)} + `}${variable(name)}`
  const isContent = ({ name }: Header) => name === 'content-type'
  const url = `${variable(base)}${path === '' ? '' : ` + ${told(path)}`}`
  return [
    'using System;',
    ...(archive || answer === 'events' ? ['using System.IO;'] : []),
    'using System.Net.Http;',
    ...(json === undefined ? [] : ['using System.Text;']),
    '',
    'var client = new HttpClient();',
    `var url = ${url};`,
    `var request = new HttpRequestMessage(${CSHARP_METHODS[method] ?? `new HttpMethod("${method}")`}, url);`,
    ...headers
      .filter((header) => !isContent(header))
      .map((header) => `request.Headers.Add("${header.name}", ${valueText(header)});`),
    ...(json === undefined
      ? []
      : [
          // Every version of C# has verbatim strings, in which only quotes must be doubled.
          `var body = @"${json.replaceAll('"', '""')}";`,
          'request.Content = new StringContent(body, Encoding.UTF8, "application/json");',
        ]),
    ...(archive
      ? [
          `request.Content = new StreamContent(File.OpenRead("${ARCHIVE}"));`,
          ...headers
            .filter(isContent)
            .map((header) => `request.Content.Headers.Add("Content-Type", ${valueText(header)});`),
        ]
      : []),
    ...(answer === 'events' ? CSHARP_EVENTS : csharpAnswer(answer)),
  ].join('\n')
}

const csharpAnswer = (answer: Request['answer']) => [
  'var response = await client.SendAsync(request);',
  'var answer = await response.Content.ReadAsStringAsync();',
  'if (!response.IsSuccessStatusCode) throw new Exception(answer);',
  ...(answer === 'none' ? [] : ['Console.WriteLine(answer);']),
]

const CSHARP_EVENTS = [
  'var response = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);',
  'if (!response.IsSuccessStatusCode) throw new Exception(await response.Content.ReadAsStringAsync());',
  'var lines = new StreamReader(await response.Content.ReadAsStreamAsync());',
  'string line;',
  'while ((line = await lines.ReadLineAsync()) != null) Console.WriteLine(line);',
]
