// Draws the service's own OpenAPI document as a page: no library, no other address than this service's. Text only ever becomes
// text, so nothing in the document can run.
;(async () => {
  const SHOWN_DEPTH = 6
  const style = `
    :root { color-scheme: light dark; --line: #8884; --soft: #8882 }
    body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1.5rem 6rem }
    nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0 2rem }
    h2 { border-bottom: 1px solid var(--line); margin-top: 3rem; text-transform: capitalize }
    details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0 0.75rem }
    summary { cursor: pointer; padding: 0.5rem 0 }
    code, pre { font: 13px/1.5 ui-monospace, monospace }
    pre { background: var(--soft); border-radius: 6px; overflow: auto; padding: 0.75rem }
    .method { display: inline-block; font-weight: 700; min-width: 4.5rem }
    .quiet { opacity: 0.7 }
    table { border-collapse: collapse; width: 100% }
    td { border-top: 1px solid var(--line); padding: 0.25rem 0.75rem 0.25rem 0; vertical-align: top }
  `

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties)
    made.append(...children)
    return made
  }

  const source = document.getElementById('api-reference')?.dataset.url ?? './openapi.json'
  const api = await (await fetch(source)).json()

  const resolve = (schema) => {
    const name = schema?.$ref?.split('/').at(-1)
    return name === undefined ? schema : api.components?.schemas?.[name]
  }

  /** A schema as JSON looks: names, and in the place of each value what it may be. */
  function shape(schema, depth = 0) {
    const given = resolve(schema)
    if (given === undefined || depth > SHOWN_DEPTH) return '…'
    if (given.enum !== undefined) return given.enum.join(' | ')
    if (given.const !== undefined) return String(given.const)
    const choices = given.oneOf ?? given.anyOf
    if (choices !== undefined)
      return choices.length === 1 ? shape(choices[0], depth) : choices.map((one) => shape(one, depth + 1))
    if (given.allOf !== undefined) return Object.assign({}, ...given.allOf.map((one) => shape(one, depth)))
    if (given.type === 'array') return [shape(given.items, depth + 1)]
    if (given.properties === undefined) return typeText(given)
    const required = new Set(given.required ?? [])
    const fields = Object.entries(given.properties).map(([name, field]) => [
      required.has(name) ? name : `${name}?`,
      shape(field, depth + 1),
    ])
    return Object.fromEntries(fields)
  }

  function typeText({ type = 'any', format, minimum, maximum, minLength, maxLength, pattern }) {
    const range = (least, most) => (least === undefined && most === undefined ? [] : [`${least ?? ''}..${most ?? ''}`])
    const parts = [[type].flat().join(' | '), ...range(minimum, maximum), ...range(minLength, maxLength)]
    return [...parts, ...(format === undefined ? [] : [format]), ...(pattern === undefined ? [] : [pattern])].join(' ')
  }

  const block = (title, schema) => [
    element('p', { className: 'quiet', textContent: title }),
    element('pre', { textContent: JSON.stringify(shape(schema), null, 2) }),
  ]

  const bodyOf = (content) => Object.entries(content ?? {}).flatMap(([type, { schema }]) => block(type, schema))

  const rows = (entries) =>
    element(
      'table',
      {},
      ...entries.map(([name, text]) =>
        element(
          'tr',
          {},
          element('td', {}, element('code', { textContent: name })),
          element('td', { textContent: text }),
        ),
      ),
    )

  function operation(
    method,
    path,
    { operationId, summary, security = [], parameters = [], requestBody, responses = {} },
  ) {
    const credentials = security.flatMap((one) => Object.keys(one)).join(', ')
    const success = Object.entries(responses).filter(([status]) => status < '400')
    const refusals = Object.entries(responses).filter(([status]) => status >= '400')
    return element(
      'details',
      { id: operationId },
      element(
        'summary',
        {},
        element('span', { className: 'method', textContent: method.toUpperCase() }),
        element('code', { textContent: path }),
        element('span', { className: 'quiet', textContent: `  ${summary ?? ''}` }),
      ),
      element('p', { textContent: credentials === '' ? 'Open to everybody.' : `Takes: ${credentials}.` }),
      rows(
        parameters.map((one) => [
          one.name,
          [
            one.in,
            one.required ? 'required' : 'optional',
            typeText(resolve(one.schema) ?? {}),
            one.description ?? '',
          ].join(' · '),
        ]),
      ),
      ...(requestBody === undefined ? [] : [element('h4', { textContent: 'Body' }), ...bodyOf(requestBody.content)]),
      ...success.flatMap(([status, { description, content }]) => [
        element('h4', { textContent: `${status} ${description}` }),
        ...bodyOf(content),
      ]),
      element('h4', { textContent: 'Refusals' }),
      rows(refusals.map(([status, { description }]) => [status, description])),
    )
  }

  const byTag = new Map()
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, given] of Object.entries(methods)) {
      const tag = given.tags?.[0] ?? 'other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), operation(method, path, given)])
    }
  }

  document.head.append(element('style', { textContent: style }))
  document.body.append(
    element('h1', { textContent: `${api.info.title} ${api.info.version}` }),
    element('p', { textContent: api.info.description ?? '' }),
    element('p', {}, element('a', { href: source, textContent: 'The OpenAPI document' })),
    element('nav', {}, ...[...byTag.keys()].map((tag) => element('a', { href: `#${tag}`, textContent: tag }))),
    ...[...byTag].flatMap(([tag, operations]) => [element('h2', { id: tag, textContent: tag }), ...operations]),
  )
})()
