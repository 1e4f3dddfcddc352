import type MiniSearch from 'minisearch'
import type { Section } from './section'

/** Section that matches a search. */
export interface Found extends Pick<Section, 'path' | 'anchor' | 'page' | 'heading'> {
  /** Part of the text around the first matching word. */
  readonly excerpt: string
}

/** Characters of an excerpt. */
const EXCERPT = 140

interface Searched {
  readonly index: MiniSearch
  readonly sections: readonly Section[]
}

let loaded: Promise<Searched> | undefined

/** Returns the sections that contain all words of a text, the best first. The texts of all pages are loaded with the first search. */
export async function search(address: string, text: string): Promise<readonly Found[]> {
  if (text.trim() === '') return []
  loaded ??= load(address).catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  const { index, sections } = await loaded
  return index.search(text).flatMap(({ id, terms }) => {
    const section = sections[id]
    return section === undefined ? [] : [{ ...section, excerpt: excerptOf(section.text, terms) }]
  })
}

async function load(address: string): Promise<Searched> {
  const [{ default: Index }, response] = await Promise.all([import('minisearch'), fetch(address)])
  if (!response.ok) throw new Error(`the texts of the pages could not be loaded: ${response.status}`)
  const sections = (await response.json()) as readonly Section[]
  const index = new Index({
    fields: ['page', 'heading', 'text'],
    searchOptions: { boost: { page: 2, heading: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  index.addAll(sections.map((section, id) => ({ id, ...section })))
  return { index, sections }
}

/** Returns a part of a text around the first of some words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length)
  const isFound = first < text.length
  const from = isFound ? Math.max(0, text.lastIndexOf(' ', Math.max(0, first - 40)) + 1) : 0
  const part = text.slice(from, from + EXCERPT)
  return `${from === 0 ? '' : '… '}${part}${from + EXCERPT < text.length ? ' …' : ''}`
}
