import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../src/errors/catalogue'
import { type SourceFile, sourceFiles, visit } from './source-files'

/** Refusals that every call can have, or that only one way of calling has. */
const OF_EVERY_CALL = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE', 'CONFLICT', 'INVALID_PLAYER_ID']
const OF_TOKENS = ['INVALID_SESSION_TOKEN', 'SESSION_EXPIRED']
/** With an API key, the key of a deleted project is refused before the call, so only embedding applications get this code. */
const OF_EMBEDDERS = ['PROJECT_NOT_FOUND']

interface Spoken {
  readonly name: string
  readonly refusals: readonly string[]
  readonly words: string
}

/** Returns each operation with its refusals and its doc comment, as an editor shows them. */
function operationsIn({ path, tree }: SourceFile): Spoken[] {
  const found: Spoken[] = []
  visit(tree, (node) => {
    if (!ts.isPropertyAssignment(node) || !ts.isCallExpression(node.initializer)) return
    if (node.initializer.expression.getText() !== 'operation') return
    const text = node.initializer.getText()
    const refusals = /refusals: \[([^\]]*)\]/.exec(text)?.[1] ?? ''
    const words = tree.text.slice(node.getFullStart(), node.getStart())
    found.push({ name: `${path} ${node.name.getText()}`, refusals: codesIn(refusals), words })
  })
  return found
}

const codesIn = (text: string) => [...text.matchAll(/[A-Z]+(?:_[A-Z]+)*/g)].map(([code]) => code).filter(isCode)
const isCode = (word: string) => Object.hasOwn(ERROR_CATALOGUE, word)

const operations = sourceFiles('core')
  .filter(({ path }) => path.startsWith('operations/'))
  .flatMap(operationsIn)

describe('the words above an operation', () => {
  it.each(operations)('$name: say every refusal, and no other', ({ refusals, words }) => {
    const said = codesIn(words)
    expect(refusals.filter((code) => !said.includes(code))).toEqual([])
    const allowed = [...refusals, ...OF_EVERY_CALL, ...OF_TOKENS, ...OF_EMBEDDERS]
    expect(said.filter((code) => !allowed.includes(code))).toEqual([])
  })
})
