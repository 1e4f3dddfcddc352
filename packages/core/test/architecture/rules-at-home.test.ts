import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE, type ErrorCode } from '../../src/errors/catalogue'
import { type SourceFile, sourceFiles, visit } from './source-files'

/**
 * Folders that compose: they read, call the domain and commit. A decision that depends on the state of one aggregate does not belong there.
 */
const COMPOSING = [
  'commit',
  'director',
  'node',
  'operations',
  'reads',
  'runtime',
  'setup',
  'streams',
  'tokens',
  'use-cases',
  'worker',
  'matchyard.ts',
]

/**
 * Refusals that do not depend on the state of one aggregate: missing rows, the caller's rights, the present capacity of the installation,
 * and decisions over several rows in one commit (a name that is taken, a row that another row still needs).
 */
const NOBODYS: readonly RegExp[] = [
  /(^|_)NOT_FOUND$/,
  /^(UNAVAILABLE|CONFLICT|IDEMPOTENCY_MISMATCH|PAYLOAD_TOO_LARGE)$/,
  /^(MISSING_CREDENTIALS|CREDENTIAL_NOT_ALLOWED|INVALID_SESSION_TOKEN|SESSION_EXPIRED|INVALID_LOGIN|UPLOAD_REJECTED)$/,
  /^(EMAIL_TAKEN|QUEUE_EXISTS|QUEUE_IN_USE|BUILD_IN_USE|BUILD_NOT_READY|PROJECT_HAS_RUNNING_SERVERS)$/,
  /^(INVITE_CODES_EXHAUSTED|PAYMENT_METHOD_REQUIRED|WEBHOOK_ADDRESS_REFUSED)$/,
]

const composing = sourceFiles('core').filter(({ path }) => COMPOSING.includes(path.split('/')[0] ?? ''))

function found(file: SourceFile, what: (node: ts.Node) => string | undefined): string[] {
  const texts: string[] = []
  visit(file.tree, (node) => {
    const text = what(node)
    if (text !== undefined) texts.push(`${file.path}: ${text}`)
  })
  return texts
}

const isName = (node: ts.Node, name: string) => ts.isIdentifier(node) && node.text === name

/** Returns a refusal in the code: `new ServiceError('CODE', …)` with a code that belongs to an aggregate's state, or any `reject(…)`. */
function refusal(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && /^reject/.test(node.expression.getText())) return node.getText()
  if (!ts.isNewExpression(node) || !isName(node.expression, 'ServiceError')) return undefined
  const code = node.arguments?.[0]
  if (code === undefined || !ts.isStringLiteral(code)) return node.getText()
  return NOBODYS.some((pattern) => pattern.test(code.text)) ? undefined : code.text
}

const EQUALS: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]

/** Returns a branch on a domain decision: `x.status === 'running'`, or `error.code === 'NOT_HOST'`. */
function judgement(node: ts.Node): string | undefined {
  if (!ts.isBinaryExpression(node) || !EQUALS.includes(node.operatorToken.kind)) return undefined
  const sides = [node.left, node.right]
  const names = sides.some((side) => ts.isPropertyAccessExpression(side) && /^(status|code)$/.test(side.name.text))
  return names && sides.some(ts.isStringLiteral) ? node.getText() : undefined
}

describe('rules are at home', () => {
  it('nothing outside the domain refuses for the state of one aggregate', () => {
    expect(composing.flatMap((file) => found(file, refusal))).toEqual([])
  })

  it('nothing outside the domain looks at a status, or chooses its way by the code of a refusal', () => {
    expect(composing.flatMap((file) => found(file, judgement))).toEqual([])
  })

  it('only the runtime calls the orchestrator and the build store; opening and closing is the whole service, and signing a URL no effect', () => {
    const calls = (node: ts.Node) =>
      ts.isPropertyAccessExpression(node) && /(^|\.)(orchestrator|buildStore)$/.test(node.expression.getText())
        ? node.getText()
        : undefined
    const elsewhere = composing.filter(({ path }) => !path.startsWith('runtime/')).flatMap((file) => found(file, calls))
    expect(elsewhere.sort()).toEqual([
      'matchyard.ts: ctx.orchestrator.close',
      'matchyard.ts: ctx.orchestrator.open',
      'tokens/upload-url.ts: ctx.buildStore.direct',
    ])
  })

  it('a use case puts no job by itself: what follows stands in one table', () => {
    const makers = composing.filter(({ path, imports }) => path.startsWith('use-cases/') && imports.some(isJobs))
    expect(makers.map(({ path }) => path)).toEqual([])
  })

  it('the codes above are all in the catalogue', () => {
    const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[]
    expect(NOBODYS.filter((pattern) => !codes.some((code) => pattern.test(code)))).toEqual([])
  })
})

const isJobs = (specifier: string) => specifier.endsWith('/commit/jobs')
