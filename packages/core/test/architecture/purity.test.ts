import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { isRelative, manifestOf, type SourceFile, sourceFiles, visit } from './source-files'

/** Names that the pure core may not use: time, randomness, waiting and the outside world come in through ports. */
const FORBIDDEN_NAMES = new Set([
  'process',
  'console',
  'globalThis',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'queueMicrotask',
  'performance',
  'crypto',
  'fetch',
  'Buffer',
  'require',
])
const FORBIDDEN_MEMBERS = new Set(['Date.now', 'Math.random'])
const DEPENDENCIES = ['@matchyard/matchmaking', 'eventemitter3', 'openskill', 'otplib', 'ulid', 'zod']

/** Whether an identifier refers to a global value: it is no key, member, declaration or type. */
function isFreeName(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node)) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  const isOwnName =
    (ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) && parent.name === node
  return !isOwnName && !ts.isDeclarationStatement(parent) && !ts.isTypeNode(parent) && !ts.isTypeElement(parent)
}

function impurities(tree: ts.SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    if (isFreeName(node) && FORBIDDEN_NAMES.has(node.text)) found.push(node.text)
    if (ts.isPropertyAccessExpression(node) && FORBIDDEN_MEMBERS.has(node.getText(tree))) found.push(node.getText(tree))
    const isDate = ts.isNewExpression(node) && node.expression.getText(tree) === 'Date'
    if (isDate && (node.arguments ?? []).length === 0) found.push('new Date()')
  })
  return found
}

const parse = (text: string): ts.SourceFile => ts.createSourceFile('sample.ts', text, ts.ScriptTarget.ES2022, true)

const files = sourceFiles('core')
const engine = sourceFiles('matchmaking')
const outside = (file: SourceFile) => file.imports.filter((specifier) => !isRelative(specifier))

describe('core is pure', () => {
  it('names neither time, chance, timers nor the process', () => {
    const all = [...files, ...engine]
    expect(all.flatMap((file) => impurities(file.tree).map((name) => `${file.path}: ${name}`))).toEqual([])
  })

  it('imports its dependencies and nothing of Node', () => {
    const others = files.flatMap((file) => outside(file).map((specifier) => `${file.path}: ${specifier}`))
    expect(
      others.filter(
        (line) =>
          ![...DEPENDENCIES, 'openskill/models', 'otplib/functional'].some((name) => line.endsWith(`: ${name}`)),
      ),
    ).toEqual([])
  })

  it('depends on its engine, zod, ulid, eventemitter3, openskill and otplib alone', () => {
    const { dependencies, peerDependencies } = manifestOf('core')
    expect(Object.keys(dependencies ?? {}).sort()).toEqual(DEPENDENCIES)
    expect(peerDependencies).toBeUndefined()
  })

  it('has an engine that imports and depends on nothing', () => {
    expect(engine.flatMap((file) => outside(file).map((specifier) => `${file.path}: ${specifier}`))).toEqual([])
    expect(manifestOf('matchmaking')).not.toHaveProperty('dependencies')
  })

  it.each([
    ['const now = Date.now()', ['Date.now']],
    ['const at = new Date()', ['new Date()']],
    ['setTimeout(() => {}, 1)', ['setTimeout']],
    ['if (process.env.X) console.log(1)', ['process', 'console']],
    ['const roll = () => Math.random()', ['Math.random']],
  ])('would see %s', (text, expected) => {
    expect(impurities(parse(text))).toEqual(expected)
  })

  it.each(['const at = new Date(5)', 'touch(id, "process")', 'const a = { process: 1 }', 'a.process()'])(
    'lets %s pass',
    (text) => {
      expect(impurities(parse(text))).toEqual([])
    },
  )
})
