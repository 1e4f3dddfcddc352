import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

export interface Block {
  readonly language: string
  readonly code: string
}

/**
 * Returns the code blocks of a document in order; `file` is relative to the root. With `section`, returns only the
 * blocks below that heading, up to the next heading of the same level.
 */
export function blocksIn(file: string, section?: string): readonly Block[] {
  const text = readFileSync(`${ROOT}${file}`, 'utf8')
  const part = section === undefined ? text : below(text, section)
  return [...part.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))
}

/** Returns the only code block in a language below a heading. Throws when there is no such block or more than one. */
export function blockIn(file: string, section: string, language: string): string {
  const [block, ...more] = blocksIn(file, section).filter((each) => each.language === language)
  if (block === undefined || more.length > 0) throw new Error(`${file} has not one ${language} block below ${section}`)
  return block.code
}

function below(text: string, section: string): string {
  const heading = new RegExp(`^(#+) ${section}$`, 'm').exec(text)
  if (heading === null) throw new Error(`there is no heading ${section}`)
  const rest = text.slice(heading.index + heading[0].length)
  const end = new RegExp(`^#{1,${heading[1]?.length}} `, 'm').exec(withoutBlocks(rest))
  return end === null ? rest : rest.slice(0, end.index)
}

/** Replaces comments in shell blocks by text of the same length, because these comments look like headings. */
const withoutBlocks = (text: string): string =>
  text.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/^#/gm, '-'))
