//! Where on earth something is.

/// A point on earth, in degrees of WGS 84.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    latitude: f64,
    longitude: f64,
}

impl Place {
    /// A point; `None` where it lies on no globe.
    pub fn new(latitude: f64, longitude: f64) -> Option<Self> {
        let on_earth = (-90.0..=90.0).contains(&latitude) && (-180.0..=180.0).contains(&longitude);
        on_earth.then_some(Self { latitude, longitude })
    }

    /// A point as GeoRSS writes it: latitude before longitude, with white space or a comma between them.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
        let (latitude, longitude) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        // A third number is the height; more than that is no point.
        if numbers.nth(1).is_some() { None } else { Self::new(latitude, longitude) }
    }

    /// Degrees north of the equator, from -90 to 90.
    pub fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east of Greenwich, from -180 to 180.
    pub fn longitude(self) -> f64 {
        self.longitude
    }
}

#[cfg(test)]
mod tests;
