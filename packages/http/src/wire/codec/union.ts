import { z } from '@hono/zod-openapi'
import type { Codec } from './codec'
import { component } from './described'
import type { AnswerFields, BodyFields } from './fields'
import { mirrorOf } from './object'
import { eitherOf } from './path-names'

type Variants<Whole extends Typed, V> = {
  readonly [Type in keyof V]: Type extends Whole['type']
    ? AnswerFields<Extract<Whole, { readonly type: Type }>, V[Type]>
    : never
}

export interface Typed {
  readonly type: string
}

/**
 * Returns the codec of objects whose `type` determines their fields. `variants` has the fields of every type of the
 * domain.
 */
export const unionOf =
  <Whole extends Typed>() =>
  <V extends Readonly<Record<Whole['type'], BodyFields>>>(
    variants: V & Variants<Whole, V>,
    name: string,
    words?: string,
  ): Codec<Whole, z.ZodType<Typed>> => {
    const shapes = Object.entries<BodyFields>(variants).map(([type, fields]) => {
      const { body, ...codec } = mirrorOf<object>()(fields as never)
      const literal = z.literal(type).openapi({ description: 'Type of the rule.' })
      return { ...codec, type, schema: z.strictObject({ type: literal, ...body.shape }) }
    })
    const byType = new Map(shapes.map((shape) => [shape.type, shape]))
    const shapeOf = ({ type }: Typed) => {
      const shape = byType.get(type)
      if (shape === undefined) throw new Error(`${name} has no type ${JSON.stringify(type)}`)
      return shape
    }
    const [first, ...others] = shapes.map(({ schema }) => schema)
    if (first === undefined) throw new Error(`${name} has no types`)
    const schema: z.ZodType<Typed> = component(z.discriminatedUnion('type', [first, ...others]), name, words)
    return {
      body: schema,
      answer: schema,
      decode: (sent) => ({ type: sent.type, ...(shapeOf(sent).decode(sent as never) as object) }) as unknown as Whole,
      encode: (value) => ({ type: value.type, ...(shapeOf(value).encode(value) as object) }),
      names: eitherOf(shapes.map(({ names }) => names)),
    }
  }
