import GithubSlugger from 'github-slugger'
import MarkdownIt from 'markdown-it'
import type { Section } from '../page/docs/section.ts'
import { linksOf } from './links.ts'
import type { DocsPage } from './pages.ts'

/** Links of the text below one heading. */
export interface LinksBelow {
  readonly heading: string
  /** Addresses, relative to the page. */
  readonly links: readonly string[]
}

export interface Rendered {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
  readonly links: readonly LinksBelow[]
  /** Source files of the pictures that the page shows. */
  readonly pictures: ReadonlySet<string>
}

type Token = ReturnType<MarkdownIt['parse']>[number]

/** Renders a page as HTML, with the anchors that the repository's pages have, and with tables and code that can scroll. */
export function render(page: DocsPage, pages: readonly DocsPage[]): Rendered {
  // The Markdown is written by the project itself, so HTML in it is kept.
  const markdown = new MarkdownIt({ html: true })
  const tokens = markdown.parse(page.markdown, {})
  giveAnchors(tokens)
  const pictures = new Set<string>()
  translateLinks(tokens, linksOf(page, pages, pictures))
  const sections = sectionsOf(tokens, page.path)
  // Wide tables and long lines of code scroll by themselves, and the keyboard can scroll only what has the focus.
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (...all) => fence?.(...all).replace('<pre>', '<pre tabindex="0">') ?? ''
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  return {
    title: sections[0]?.page ?? page.path,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections,
    links: linksBelow(tokens),
    pictures,
  }
}

function giveAnchors(tokens: readonly Token[]): void {
  const slugger = new GithubSlugger()
  for (const [at, token] of tokens.entries())
    if (token.type === 'heading_open') token.attrSet('id', slugger.slug(textOf(tokens[at + 1])))
}

function translateLinks(tokens: readonly Token[], translate: (target: string) => string): void {
  for (const token of tokens) {
    if (token.children !== null) translateLinks(token.children, translate)
    for (const name of ['href', 'src']) {
      const target = token.attrGet(name)
      if (target !== null) token.attrSet(name, translate(target))
    }
    if (token.type === 'html_block' || token.type === 'html_inline')
      token.content = token.content.replace(
        /(\s(?:href|src)=")([^"]+)"/g,
        (_, before: string, target: string) => `${before}${translate(target)}"`,
      )
  }
}

function sectionsOf(tokens: readonly Token[], path: string): readonly Section[] {
  const title = textOf(tokens[tokens.findIndex(({ type }) => type === 'heading_open') + 1]) || path
  const sections = [{ anchor: '', heading: title, texts: [] as string[] }]
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open' && token.tag !== 'h1')
      sections.push({ anchor: token.attrGet('id') ?? '', heading: textOf(tokens[at + 1]), texts: [] })
    else if (token.type === 'fence') sections.at(-1)?.texts.push(token.content)
    else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open')
      sections.at(-1)?.texts.push(textOf(token))
  }
  return sections.map(({ anchor, heading, texts }) => ({ path, anchor, page: title, heading, text: texts.join(' ') }))
}

function linksBelow(tokens: readonly Token[]): readonly LinksBelow[] {
  const all = [{ heading: '', links: [] as string[] }]
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') all.push({ heading: textOf(tokens[at + 1]), links: [] })
    else all.at(-1)?.links.push(...(token.children ?? []).flatMap((child) => child.attrGet('href') ?? []))
  }
  return all
}

/** Returns the text of a token without marks, as readers see it. */
const textOf = (token: Token | undefined): string =>
  token === undefined
    ? ''
    : (token.children ?? [])
        .map(({ type, content, children }) =>
          type === 'text' || type === 'code_inline'
            ? content
            : type === 'softbreak' || type === 'hardbreak'
              ? ' '
              : (children ?? []).map(({ content: inside }) => inside).join(''),
        )
        .join('')
