/** First and last lunar year of {@link LUNAR_YEARS}. */
export const FIRST_LUNAR_YEAR = 1900

/**
 * One lunar year as five hexadecimal digits, ten years a line, from 1900 to 2100. The first digit is the leap month (0: none, a: 10,
 * b: 11); the other four are the lengths of the months, read from the highest of 12 bits (13 in leap years), 1: 30 days, 0: 29, the
 * leap month directly after its namesake. Not the browser's own calendar: it is off by a day near midnight new moons.
 */
export const LUNAR_YEARS: readonly string[] = `
  8096d 004ae 00a57 50a4d 00d26 00d95 40d55 0056a 009ad 2095d
  004ae 6149b 00a4d 00d25 51aa5 00b54 00d6a 212da 0095b 70937
  00497 00a4b 5164b 006a5 006d4 415b5 002b6 00957 2092f 00497
  60c96 00d4a 00ea5 50da9 005ad 002b6 3126e 0092e 7192d 00c95
  00d4a 61b4a 00b55 0056a 4155b 0025d 0092d 2192b 00a95 71695
  006ca 00b55 50ab5 004da 00a5b 30a57 0052b 8152a 00e95 006aa
  615aa 00ab5 004b6 414ae 00a57 00526 31d26 00d95 70b55 0056a
  0096d 5095d 004ad 00a4d 41a4d 00d25 81aa5 00b54 00b6a 612da
  0095b 0049b 41497 00a4b a164b 006a5 006d4 615b4 00ab6 00957
  5092f 00497 0064b 30d4a 00ea5 80d65 005ac 00ab6 5126d 0092e
  00c96 41a95 00d4a 00da5 20b55 0056a 7155b 0025d 0092d 5192b
  00a95 00b4a 416aa 00ad5 90ab5 004ba 00a5b 60a57 0052b 00a93
  40e95 006aa 00ad5 209b5 004b6 614ae 00a4e 00d26 51d26 00d53
  005aa 30d6a 0096d b095d 004ad 00a4d 61a4b 00d25 00d52 51b54
  00b5a 0056d 2095b 0049b 71497 00a4b 00aa5 516a5 006d2 00ada
  30ab6 00937 8092f 00497 0064b 60d4a 00ea5 006b2 4156c 00aae
  0092e 3192e 00c96 71a95 00d4a 00da5 50b55 0056a 00a6d 40a5d
  0052d 8152b 00a95 00b4a 616aa 00ad5 0055a 414ba 00a5b 0052b
  31527 00693 70e53 006aa 00ad5 509b5 004b6 00a57 40a4e 00d16
  81d26 00d52 00daa 60d6a 0056d 004ae 4149d 00a2d 00d15 21b25
  00d52
`
  .trim()
  .split(/\s+/)
