import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, visit } from './source-files'

/** The files that use names of the wire format, with the reasons (docs/adr/0070-one-fact-one-spelling.md). */
const EXCEPTIONS = new Set([
  // Game developers read the file that this code writes.
  'server/server-file.ts',
  // The limits have the names that an error's details and the answer about the plan use.
  'billing/limits.ts',
  // PagerDuty names the fields of its events.
  'webhook/shapes.ts',
  // The answer of an endpoint is an HTTP status.
  'webhook/answer.ts',
])

/** Words that serve as keys of a table: types of events, reasons of an end. */
const WORDS = new Set(['logged_out', ...sourceFiles('core').filter(isVocabulary).flatMap(wordsOf)])
const SNAKE = /^[a-z0-9]+(_[a-z0-9]+)+$/

/** Returns field names in snake_case. Values are allowed (`in_queue`), and so are the fields of a log line, which people read. */
function wireNames(tree: ts.SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    const isField =
      ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node) || ts.isPropertySignature(node)
    if (!isField || isLogField(node)) return
    const name = ts.isStringLiteral(node.name) ? node.name.text : node.name.getText(tree)
    if (SNAKE.test(name) && !WORDS.has(name)) found.push(name)
  })
  return found
}

function isVocabulary({ path }: SourceFile): boolean {
  return /\/(domain-)?events\.ts$/.test(path) || path === 'lobby/last-exit.ts'
}

function wordsOf({ tree }: SourceFile): string[] {
  const words: string[] = []
  visit(tree, (node) => {
    if (ts.isStringLiteral(node)) words.push(node.text)
  })
  return words
}

function isLogField({ parent: { parent } }: ts.Node): boolean {
  return ts.isCallExpression(parent) && /\blogger\.(debug|info|warn|error)$/.test(parent.expression.getText())
}

/** Returns numbers that only HTTP gives a meaning, and every number in a field called `status`. */
function httpNumbers(tree: ts.SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    if (!ts.isNumericLiteral(node)) return
    const named = ts.isPropertyAssignment(node.parent) && node.parent.name.getText(tree) === 'status'
    if (named || /^(4[0-3]\d|50[1-9])$/.test(node.text)) found.push(node.text)
  })
  return found
}

/** Words in snake_case that the library writes so too: a field of players' states, and a field of key sets (RFC 7517). */
const OWN_WORDS = new Set(['game_version', 'key_ops'])

/**
 * Returns the routes and the fields in snake_case that sentences name. Sentences name them with `errors/spoken-names.ts`, so that each
 * caller reads its own spelling. The error catalogue is the documentation of HTTP's errors, and the tables of states name their sources.
 */
function wireSentences(tree: ts.SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (!isText || !node.text.includes(' ')) return
    const names = node.text.match(/\/v1\/[a-z]*|\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g) ?? []
    found.push(...names.filter((name) => !WORDS.has(name) && !OWN_WORDS.has(name)))
  })
  return found
}

const isPage = ({ path }: SourceFile): boolean => path.startsWith('errors/codes/') || path.endsWith('transitions.ts')

const parse = (text: string): ts.SourceFile => ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022, true)
const files: readonly SourceFile[] = sourceFiles('core')
const told = (look: (tree: ts.SourceFile) => string[]) =>
  files
    .filter(({ path }) => !EXCEPTIONS.has(path))
    .flatMap(({ path, tree }) => look(tree).map((what) => `${path}: ${what}`))

describe('core speaks its own words', () => {
  it('names no field as the wire does', () => {
    expect(told(wireNames)).toEqual([])
  })

  it('knows no number of HTTP', () => {
    expect(told(httpNumbers)).toEqual([])
  })

  it('names no route and no field of HTTP in a sentence', () => {
    const sentences = files
      .filter((file) => !isPage(file))
      .flatMap(({ path, tree }) => wireSentences(tree).map((what) => `${path}: ${what}`))
    expect(sentences).toEqual([])
  })

  it('would see one that did', () => {
    expect(wireNames(parse('const a = { lobby_id: lobby.id }'))).toEqual(['lobby_id'])
    expect(wireNames(parse("ctx.logger.warn('lost', { lobby_id: id })"))).toEqual([])
    expect(wireSentences(parse('reject(`${id} needs max_players; PUT /v1/queues`)'))).toEqual([
      'max_players',
      '/v1/queues',
    ])
    expect(httpNumbers(parse('throw new Refusal(code, 404)'))).toEqual(['404'])
    expect(httpNumbers(parse('const row = { status: 200 }'))).toEqual(['200'])
  })
})
