import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const validator = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      // These rules of style are off or fixed, because the formatter already decides the style.
      'doctype-style': ['error', { style: 'lowercase' }],
      'void-style': ['error', { style: 'selfclosing' }],
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
    },
  }),
)

/**
 * Returns the faults of an HTML page with their lines: invalid elements and attributes, and missing accessible names.
 */
export async function faultsOfHtml(html: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `line ${line}: ${message} (${ruleId})`),
  )
}
