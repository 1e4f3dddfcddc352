import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // As formatters write it.
      'doctype-style': ['error', { style: 'lowercase' }],
      'void-style': ['error', { style: 'selfclosing' }],
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
    },
  }),
)

/** Returns the faults of a page: elements and attributes by the standard, accessible names. Each with its line. */
export async function faultsOfHtml(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `line ${line}: ${message} (${ruleId})`),
  )
}
