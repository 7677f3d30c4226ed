/** Compiled lazily: compiling all validators and serializers took 25 % of start-up time. */
export function onFirstUse<Argument, Result>(make: () => (argument: Argument) => Result) {
  let made: ((argument: Argument) => Result) | undefined
  return (argument: Argument): Result => {
    made ??= make()
    return made(argument)
  }
}
