/**
 * The kinds of tokens, as numbers so that a list of tokens fits a typed array.
 *
 * Invariant: trivia come first (up to `LastTrivia`) and the kinds that end a statement come last (from `FirstBoundary`).
 */
export const Whitespace = 1
/** A line break inside brackets. */
export const Newline = 2
/** `# …` or `// …` without trailing spaces. */
export const Comment = 3
export const BlockComment = 4
export const UnclosedComment = 5
export const ByteOrderMark = 6
export const LastTrivia = 6

/** Words: names of variables, functions and properties, `true`, `false`, `null`, `$env`, `$secret`. */
export const Name = 10
export const Method = 11
export const Number = 12
export const Hex = 13
export const MalformedNumber = 14
/** A closed string without escapes, control characters and templates. */
export const String = 15
/** A closed string that has to be decoded. */
export const EscapedString = 16
export const UnterminatedString = 17
/** `'…'`, which is not a string of this language but is often meant as one. */
export const SingleQuoted = 18
/** The first quote of a string with templates; text, templates and the last quote follow as their own tokens. */
export const StringOpen = 19
export const StringText = 20
export const StringClose = 21
export const TemplateOpen = 22
/** `}}`, or a single `}` where two were meant. */
export const TemplateClose = 23

export const OpenBracket = 24
export const CloseBracket = 25
export const OpenBrace = 26
export const CloseBrace = 27
export const OpenParen = 28
export const CloseParen = 29
export const Comma = 30
export const Colon = 31
export const Dot = 32

export const FirstOperator = 33
export const Assign = 33
export const Or = 34
export const And = 35
export const Equal = 36
export const NotEqual = 37
export const Less = 38
export const LessOrEqual = 39
export const Greater = 40
export const GreaterOrEqual = 41
export const Plus = 42
export const Minus = 43
export const Star = 44
export const Slash = 45
export const Percent = 46
export const Not = 47
/** `===`, `!==`, `&` and `|`: operators of other languages. */
export const ForeignOperator = 48
export const LastOperator = 48

/** Characters that mean nothing here. */
export const Unknown = 49
export const Title = 50
/** The `@` of a directive. */
export const DirectiveAt = 51
export const DirectiveName = 52
export const DirectiveValue = 53

export const FirstBoundary = 60
/** A line break that ends a statement. */
export const LineEnd = 60
/** Three or more `#` at column 0. */
export const SectionMark = 61
/** The `#` or `//` before the `@` of a directive. */
export const DirectiveMark = 62
/** The `@` of a variable. */
export const VariableMark = 63
/** `??` */
export const CheckMark = 64
/** What stands behind the last token of a list. */
export const EndOfFile = 65
