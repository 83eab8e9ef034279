//! A few short games, and a check of markup.

/// Five games, one of them with a faulty move in line 21.
pub(crate) const GAMES: &str = r#"[Event "Café"]
[White "Amateur & Co"]
[Black "Visitor <b>"]
[Result "0-1"]

1. e4 {[%clk 0:05:00] the king's pawn} e5 2. Qh5 (2. Nf3 Nc6 {usual}) Nc6 3. Bc4 g6 4. Qf3 Nf6 5. Qb3 $1 Nd4
6. Bxf7+ {[%eval 9.99]} Ke7 7. Qc4 b5 0-1

[Event "Mate"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event "Faulty"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Ke3 Nc6 1-0

[Event "Drawn"]
[White "A"]
[Black "B"]
[Result "1/2-1/2"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[Event "End game"]
[White "A"]
[Black "B"]
[Result "*"]
[SetUp "1"]
[FEN "8/8/8/3k4/8/3KP3/8/8 b - - 0 40"]

40... Ke5 41. e4 Kd6 42. Kd4 *
"#;

/// Whether every element is closed in the right order, and everything else is escaped.
#[allow(dead_code)]
pub(crate) fn check_markup(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.strip_prefix("<!DOCTYPE html>").unwrap_or(text);
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag is closed");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        assert!(!tag.contains('<'), "{tag}");
        assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().expect("a name"));
        }
    }
    check_text(rest);
    assert_eq!(open, Vec::<&str>::new());
}

fn check_text(text: &str) {
    assert!(!text.contains('>'), "{text}");
    for part in text.split('&').skip(1) {
        let entity = part.split(';').next().unwrap_or_default();
        assert!(["amp", "lt", "gt", "quot"].contains(&entity), "{text}");
    }
}
