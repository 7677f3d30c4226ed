/** One end of the pipe between two processes. */
export interface Pipe {
  send?(message: object, handled: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
}

// biome-ignore lint/suspicious/noExplicitAny: the members of a catalogue of calls differ in what they take.
type Calls<Catalogue> = { [Name in keyof Catalogue]: (...args: any[]) => unknown }

/** Calls a function of the other process. */
export type Call<Catalogue extends Calls<Catalogue>> = <Name extends keyof Catalogue & string>(
  name: Name,
  ...args: Parameters<Catalogue[Name]>
) => Promise<Awaited<ReturnType<Catalogue[Name]>>>

interface Question {
  ask: string
  id: number
  args: unknown[]
}

interface Answer {
  answerTo: number
  result?: unknown
  fault?: string
}

/** Remote calls in both directions over the channel between a process and its child. */
export function openIpc<Own extends Calls<Own>, Other extends Calls<Other>>(
  pipe: Pipe,
  own: Own,
): Call<Other> {
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let lastId = 0
  let isOpen = true

  pipe.on('message', (message) => {
    if (isQuestion(message)) void answer(message)
    else if (isAnswer(message)) settle(message)
  })
  pipe.once('disconnect', () => {
    isOpen = false
    for (const { reject } of waiting.values()) reject(goneError())
    waiting.clear()
  })

  // A failed write needs no handling: 'disconnect' follows.
  const send = (message: object) => void pipe.send?.(message, () => undefined)

  async function answer({ ask, id, args }: Question): Promise<void> {
    try {
      send({ answerTo: id, result: await own[ask as keyof Own](...args) })
    } catch (error) {
      if (isOpen) send({ answerTo: id, fault: (error as Error).message })
    }
  }

  function settle({ answerTo, result, fault }: Answer): void {
    const asked = waiting.get(answerTo)
    waiting.delete(answerTo)
    if (fault === undefined) asked?.resolve(result as never)
    else asked?.reject(new Error(fault))
  }

  return (name, ...args) => {
    const asked = Promise.withResolvers<never>()
    if (!isOpen) {
      asked.reject(goneError())
      return asked.promise
    }
    waiting.set(++lastId, asked)
    send({ ask: name, id: lastId, args })
    return asked.promise
  }
}

function goneError(): Error {
  return new Error('The process at the other end has ended.')
}

function isQuestion(message: unknown): message is Question {
  return typeof message === 'object' && message !== null && 'ask' in message
}

function isAnswer(message: unknown): message is Answer {
  return typeof message === 'object' && message !== null && 'answerTo' in message
}
