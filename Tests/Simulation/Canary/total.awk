# The lines of the suites, and their sum as the last one. Fails when nothing ran or anything leaked.
{ print }
/^canary:/ {
  for (field = 1; field <= NF; field++) {
    split($field, pair, "=")
    if (pair[1] == "runs") runs += pair[2]
    if (pair[1] == "secrets") secrets += pair[2]
    if (pair[1] == "leaks") leaks += pair[2]
  }
}
/^canary:/ { suites++ }
/error:|✘/ { failed = 1 }
END {
  if (suites < 2) { print "canary: did not run"; exit 1 }
  print "canary: runs=" runs " secrets=" secrets " leaks=" leaks
  exit leaks > 0 || failed
}
