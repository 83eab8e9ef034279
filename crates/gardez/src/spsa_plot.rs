//! The course of every tuned number as a sheet of small plots.

use arena::spsa::Course;
use std::fmt::Write;

const COLUMNS: usize = 4;
const WIDTH: f64 = 220.0;
const HEIGHT: f64 = 110.0;
/// Room for the name above a curve and around it.
const HEAD: f64 = 24.0;
const EDGE: f64 = 10.0;

const STYLE: &str = "svg{--paper:#fff;--ink:#1c1c1c;--frame:#ccc;--curve:#0060a8}\
@media(prefers-color-scheme:dark){svg{--paper:#161616;--ink:#e8e8e8;--frame:#444;--curve:#6cb8f0}}\
.paper{fill:var(--paper)}text{fill:var(--ink);font:11px sans-serif}\
.frame{fill:none;stroke:var(--frame)}.curve{fill:none;stroke:var(--curve);stroke-width:1.5}";

/// A picture of the course, one small plot for each number, each scaled to its own values.
pub(crate) fn plot(course: &Course) -> String {
    let count = course.settings.names.len();
    let (width, height) = (COLUMNS as f64 * WIDTH, count.div_ceil(COLUMNS).max(1) as f64 * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"The course of {count} numbers over {} games\">\n<style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        2 * course.played
    );
    for (index, name) in course.settings.names.iter().enumerate() {
        let corner = ((index % COLUMNS) as f64 * WIDTH, (index / COLUMNS) as f64 * HEIGHT);
        let values: Vec<f64> = course.history.iter().map(|values| values[index]).collect();
        draw(&mut svg, corner, name, &values);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw(svg: &mut String, (left, top): (f64, f64), name: &str, values: &[f64]) {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max).max(low + 1e-9);
    let steps = (values.len() - 1).max(1) as f64;
    let points = values.iter().enumerate().map(|(index, value)| {
        let x = left + EDGE + (WIDTH - 2.0 * EDGE) * index as f64 / steps;
        let y = top + HEIGHT - EDGE - (HEIGHT - HEAD - 2.0 * EDGE) * (value - low) / (high - low);
        format!("{x:.1},{y:.1}")
    });
    let points: Vec<String> = points.collect();
    let _ = writeln!(
        svg,
        "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\
         <text x=\"{}\" y=\"{}\">{name}: {first:.1} to {last:.1}</text>\
         <polyline class=\"curve\" points=\"{}\"/>",
        left + 4.0,
        top + 4.0,
        WIDTH - 8.0,
        HEIGHT - 8.0,
        left + EDGE,
        top + HEAD - 4.0,
        points.join(" ")
    );
}
