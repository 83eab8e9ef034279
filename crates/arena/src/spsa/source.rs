//! Writing tuned values back to where they are declared.

/// Why values cannot be written into a source.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SourceError {
    #[error("'{0}' is not declared there")]
    NotDeclared(String),
}

/// The source of the search's numbers, with other values. A declaration is a line like
/// `rfp_margin = 78, 30..150, 8;`.
///
/// # Errors
/// When a name is not declared.
pub fn rewrite(source: &str, values: &[(String, i32)]) -> Result<String, SourceError> {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    for (name, value) in values {
        let declaration = format!("{name} = ");
        let line = lines
            .iter_mut()
            .find(|line| line.trim_start().starts_with(&declaration) && line.trim_end().ends_with(';'))
            .ok_or_else(|| SourceError::NotDeclared(name.clone()))?;
        if let (Some(start), Some(end)) = (line.find(&declaration), line.find(',')) {
            line.replace_range(start + declaration.len()..end, &value.to_string());
        }
    }
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_value_of_the_declaration_changes() {
        let source = "/// rfp_margin = 1, says a comment\nrfp = 3;\n    rfp_margin = 78, 30..150, 8;\n    x = -5, -9..9, 1;\n";
        let values = [("rfp_margin".to_owned(), 91), ("x".to_owned(), 7)];
        let expected = "/// rfp_margin = 1, says a comment\nrfp = 3;\n    rfp_margin = 91, 30..150, 8;\n    x = 7, -9..9, 1;\n";
        assert_eq!(rewrite(source, &values), Ok(expected.to_owned()));
        let unknown = [("y".to_owned(), 1)];
        assert_eq!(rewrite(source, &unknown), Err(SourceError::NotDeclared("y".to_owned())));
    }

    #[test]
    fn the_search_declares_its_numbers_so() {
        let source = include_str!("../../../engine/src/search/params.rs");
        let values: Vec<(String, i32)> =
            engine::TUNABLES.iter().map(|tunable| (tunable.name.to_owned(), tunable.default)).collect();
        assert_eq!(rewrite(source, &values).as_deref(), Ok(source));
    }
}
