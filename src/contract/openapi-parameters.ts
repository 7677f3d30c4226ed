import type { Endpoint } from './endpoint.ts'
import type { createSchemas } from './openapi-schemas.ts'
import { ref } from './openapi-texts.ts'
import type { TSchema } from './type.ts'

type Schemas = ReturnType<typeof createSchemas>
type Parameter = ReturnType<typeof parametersOf>[number]

/** The parameters of query strings. Those of several operations are components. */
export function createParameters(endpoints: Endpoint[], schemas: Schemas) {
  const shared: Record<string, Parameter> = {}
  const names = new Map<string, string>()
  const uses = Map.groupBy(
    endpoints.flatMap((endpoint) => parametersOf(endpoint, schemas)),
    (parameter) => JSON.stringify(parameter),
  )
  for (const [text, [parameter, ...others]] of uses) {
    const name = others.length > 0 && freeNameOf(parameter!, shared)
    if (!name) continue
    shared[name] = parameter!
    names.set(text, name)
  }

  function of(endpoint: Endpoint) {
    return parametersOf(endpoint, schemas).map((parameter) => {
      const name = names.get(JSON.stringify(parameter))
      return name === undefined ? parameter : ref('parameters', name)
    })
  }

  return { shared, of }
}

/** `order_id` is OrderId. An optional one of the same name filters a list: OrderIdFilter. */
function freeNameOf({ name, required }: Parameter, taken: Record<string, unknown>): string | undefined {
  const pascal = name
    .split('_')
    .map((part) => `${part[0]!.toUpperCase()}${part.slice(1)}`)
    .join('')
  return [pascal, ...(required ? [] : [`${pascal}Filter`])].find((each) => !(each in taken))
}

function parametersOf({ id, method, input, example }: Endpoint, { publishMember }: Schemas) {
  if (method !== 'GET') return []
  const required = new Set(input.required as string[] | undefined)
  const place = `${id[0]!.toUpperCase()}${id.slice(1)}Input`
  return Object.entries(input.properties as Record<string, TSchema>).map(([name, schema]) => {
    const { description, ...rest } = publishMember(schema, place, name)
    const value = (example.input as Record<string, unknown>)[name]
    return {
      name,
      in: 'query',
      required: required.has(name),
      ...(description !== undefined && { description }),
      schema: rest,
      ...(value !== undefined && { example: value }),
    }
  })
}
